// The tests of the rooms that hold, code or count data, in one process.
import { askingRooms, describeRooms, servingRooms, sharedRooms } from './support/rooms.ts';

const others = [...servingRooms, ...askingRooms];
describeRooms(sharedRooms.filter((room) => !others.includes(room)));
