// The tests of the rooms that send requests, in one process.
import { askingRooms, describeRooms } from './support/rooms.ts';

describeRooms(askingRooms);
