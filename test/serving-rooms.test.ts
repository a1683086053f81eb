// The tests of the rooms that answer requests, in one process.
import { describeRooms, servingRooms } from './support/rooms.ts';

describeRooms(servingRooms);
