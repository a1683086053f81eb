// The tests of the rooms that hold, code or count data, in one process.
import {
  askingRooms,
  collectingRooms,
  describeRooms,
  drawingRooms,
  servingRooms,
  sharedRooms,
} from './support/rooms.ts';

const others = [...servingRooms, ...drawingRooms, ...askingRooms, ...collectingRooms];
describeRooms(sharedRooms.filter((room) => !others.includes(room)));
