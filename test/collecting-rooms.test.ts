// The tests of the room that takes reports, in one process.
import { collectingRooms, describeRooms } from './support/rooms.ts';

describeRooms(collectingRooms);
