/** The history of a chart of shares in the page: its drawing, its values time by time, and its table. */

import { placeMarks } from '../../../draw/event-marks.ts';
import { formatDateTime, formatDay, formatExact, formatShare } from '../../../draw/format.ts';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import type { HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import type { HistoryUnit } from '../../../draw/history/history-unit.ts';
import { leaderPhrases } from '../../../draw/history/leaders.ts';
import type { PictureOptions } from '../../../draw/picture.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { dayMs, type Period } from '../../../model/window.ts';
import type { ChartTable } from './chart-table.ts';
import type { MarkedPlot } from './event-links.ts';
import type { ReadableChart } from './time-cursor.ts';
import type { TipWords } from './tip.ts';

/** A drawn history. */
export interface DrawnHistory {
  readonly svgText: string;
  readonly description: string;
  readonly readable: ReadableChart;
  readonly marks: MarkedPlot | undefined;
  /** The names of the shares with an area and their newest values, in their order. */
  readonly words: readonly TipWords[];
}

/** The window and the unit of a drawing. */
interface HistoryPlace {
  readonly window: Period;
  readonly unit: HistoryUnit;
}

/** Draws a history; a sentence where nothing in it is above 0. */
export function drawHistoryInPage(
  whole: HistoryToDraw,
  { window, unit }: HistoryPlace,
  options: PictureOptions,
): DrawnHistory | string {
  const range = window;
  const layout = layoutHistory(whole, { ...options, range, unit });
  if (layout === undefined) return nothingCounted(range, { timestamp: whole.to, nowMs: options.nowMs });
  const { history, description, box, time } = layout;
  return {
    svgText: layout.draw(),
    description,
    readable: {
      layout,
      times: history.times,
      stepMs: history.step?.ms ?? 0,
      yAt: () => undefined,
      wordsAt: (index) => wordsAt(history, index),
    },
    marks: history.events && { box, marks: placeMarks(history.events, { xAt: time.xAt, options }) },
    words: history.shares.map(({ name, last }) => ({ strong: name, rest: [rounded(last)] })),
  };
}

/** The number of shares that the tip names. */
const namedCount = 6;

function wordsAt({ times, step, shares, other }: HistoryToDraw, index: number): TipWords {
  const all = [...shares, ...(other === undefined ? [] : [{ ...other, name: other.name ?? 'Other' }])];
  const values = all.map(({ name, values: column }) => ({ name, value: column[index] ?? 0 }));
  const total = values.reduce((sum, { value }) => sum + Math.max(0, value), 0);
  const [first, ...others] = values
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, namedCount)
    .map(({ name, value }) => `${name} ${formatShare(value / total)} · ${rounded(value)}`);
  const time = times[index] ?? 0;
  const format = step !== undefined && step.ms >= dayMs ? formatDay : formatDateTime;
  return { strong: first ?? 'Nothing counted', rest: [format(time), ...others] };
}

/** A mean without decimals that say nothing. */
function rounded(value: number): string {
  return formatExact(Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10);
}

/** The table of a history: every share with its part at both ends of the window, and the change between them; then the events of the window. */
export function historyTable(
  { title, shares, other, times, step, from, to }: HistoryToDraw,
  events: readonly PluginEvent[] = [],
): ChartTable {
  const all = [...shares, ...(other === undefined ? [] : [{ ...other, name: other.name ?? 'Other' }])];
  const totals = [0, -1].map((end) =>
    all.reduce((sum, { values }) => sum + Math.max(0, values.at(end) ?? 0), 0),
  );
  const partOf = (value: number, total = 0) => (total > 0 ? Math.max(0, value) / total : 0);
  const rows = all.map(({ name, values }) => {
    const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
    const [before, after] = [partOf(first, totals[0]), partOf(last, totals[1])];
    return [name, formatShare(before), formatShare(after), pointsWords(after - before), rounded(last)];
  });
  const days = [times[0] ?? 0, times.at(-1) ?? 0].map(formatDay);
  const note = [step?.mean ?? [], leaderPhrases({ title, shares, other, times })[0] ?? []].flat();
  return {
    title,
    note: note.join(', '),
    columns: ['Name', days[0] ?? '', days[1] ?? '', 'Change', 'Value'],
    rows,
    events: events.filter(({ time }) => time >= from && time <= to).toReversed(),
  };
}

/** A change in percentage points: +3.2 pp, −1 pp, ±0. */
function pointsWords(change: number): string {
  const points = Math.round(Math.abs(change) * 1000) / 10;
  if (points === 0) return '±0';
  return `${change < 0 ? '−' : '+'}${points} pp`;
}
