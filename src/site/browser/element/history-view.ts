/** The history of a chart of shares in the page: its drawing, its values time by time, and its table. */

import { formatDateTime, formatDay, formatExact, formatShare } from '../../../draw/format.ts';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import { allShares, type HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import { leaderPhrases } from '../../../draw/history/history-words.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { dayMs } from '../../../model/window.ts';
import { loadPart } from '../load-part.ts';
import type { ChartTable } from './chart-table.ts';
import { type Drawing, type DrawingOptions, inPage } from './drawing.ts';
import { fetchHistory, type HistorySource } from './fetch-history.ts';
import type { WantedChart } from './line-data.ts';
import { addSliceCursor } from './slice-cursor.ts';
import { labelledSvg } from './svg-elements.ts';
import type { TipWords } from './tip.ts';

/** A history that has been fetched. */
export interface LoadedHistory {
  readonly wanted: WantedChart;
  readonly draw: (wanted: WantedChart, options: HistoryPlace) => Drawing;
  /** Fetches the history of the inner shares of an outer one. */
  readonly open: (group: string) => Promise<LoadedHistory>;
}

/** The place of a drawing, with the title of the chart. */
interface HistoryPlace extends Pick<DrawingOptions, 'width' | 'height' | 'isShown'> {
  readonly title: string;
}

/** Loads the history of a chart, or that of the inner shares of an outer one. */
export async function loadHistoryInPage(
  source: HistorySource & {
    readonly events: readonly PluginEvent[];
    readonly eventLinks: typeof import('./event-links.ts') | undefined;
  },
  wanted: WantedChart,
  group?: string,
): Promise<LoadedHistory> {
  const history = await fetchHistory(source, wanted, group);
  const { events, eventLinks } = source;
  const canOpen = group === undefined && source.known.chart.form === 'drilldown';
  return {
    wanted,
    draw: ({ window, unit }, { title, ...place }) => {
      if (history === undefined) return { description: '', sentence: 'No history yet.' };
      const { from, to } = history;
      const columns = eventLinks?.eventColumnsOf(events, { from, to, width: wanted.width });
      const named = {
        ...history,
        title: group === undefined ? title : `${title} › ${group}`,
        events: columns,
      };
      const options = { ...place, nowMs: Date.now(), ...inPage };
      const layout = layoutHistory(named, { ...options, range: window, unit });
      if (layout === undefined)
        return { description: '', sentence: nothingCounted(window, { timestamp: to, nowMs: options.nowMs }) };
      return {
        ...drawLayout(layout, canOpen),
        makeLinks: (actions) =>
          columns &&
          eventLinks?.makeEventLinks(
            { box: layout.box, marks: columns.place({ xAt: layout.time.xAt, options }) },
            actions,
          ),
        loadTable: async () => {
          const { tableElement } = await loadPart(import('./table-element.ts'));
          return tableElement(historyTable(named, events));
        },
      };
    },
    open: (name) => loadHistoryInPage(source, wanted, name),
  };
}

/** The drawing of a history, with what the pointer and keys read of it. */
function drawLayout(layout: NonNullable<ReturnType<typeof layoutHistory>>, canOpen: boolean): Drawing {
  const { history, description } = layout;
  const svg = labelledSvg(layout.draw(), description);
  const words = history.shares.map(({ name, last }) => ({ strong: name, rest: [rounded(last)] }));
  const slices = { svg, words, canOpen: (index: number) => canOpen && words[index] !== undefined };
  return {
    description,
    svg,
    readable: {
      layout,
      times: history.times,
      stepMs: history.step?.ms ?? 0,
      yAt: () => undefined,
      wordsAt: (index) => wordsAt(history, index),
    },
    addSliceCursor: (actions) => addSliceCursor(slices, actions),
  };
}

/** The number of shares that the tip names. */
const namedCount = 6;

function wordsAt(history: HistoryToDraw, index: number): TipWords {
  const { times, step } = history;
  const values = allShares(history).map(({ name, values: column }) => ({ name, value: column[index] ?? 0 }));
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
function historyTable(history: HistoryToDraw, events: readonly PluginEvent[] = []): ChartTable {
  const { title, times, step, from, to } = history;
  const all = allShares(history);
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
  const note = [step?.mean ?? [], leaderPhrases(history)[0] ?? []].flat();
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
