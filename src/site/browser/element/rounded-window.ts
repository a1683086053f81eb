/** Rounds a window that was chosen by hand, so that its address is short and its ends are times that people say. */
import { dayMs, type TimeWindow } from '../../../model/window.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The window outwards in whole days, hours or minutes, whichever its length allows; at least ten minutes long. */
export function roundedWindow(from: number, to: number): TimeWindow {
  const lengthMs = to - from;
  const unitMs = lengthMs >= 4 * dayMs ? dayMs : lengthMs >= 6 * hourMs ? hourMs : minuteMs;
  const start = Math.max(0, Math.floor(from / unitMs) * unitMs);
  return { from: start, to: Math.max(Math.ceil(to / unitMs) * unitMs, start + 10 * minuteMs) };
}
