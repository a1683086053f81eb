// The tests of the rooms that hold, code or count data, in one process.
import { describeRooms, servingRooms, sharedRooms } from './support/rooms.ts';

describeRooms(sharedRooms.filter((room) => !servingRooms.includes(room)));
