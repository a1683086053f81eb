// The tests of the rooms that draw pictures and pages, in one process.
import { describeRooms, drawingRooms } from './support/rooms.ts';

describeRooms(drawingRooms);
