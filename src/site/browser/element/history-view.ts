/** The history of a chart of shares in the page: its drawing, its values time by time, and its table. */

import { formatDay, formatShare } from '../../../draw/format.ts';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import { historyOfSeries, historyQuery, type SharesOverTime } from '../../../draw/history/history-series.ts';
import { allShares, type HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import { leaderPhrase, totalOf } from '../../../draw/history/history-words.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { isSamePeriod } from '../../../model/window.ts';
import { shareTest } from '../../state/share-filter.ts';
import { seriesPath } from '../../state/shown-window.ts';
import type { ChartTable } from './chart-table.ts';
import {
  type Drawing,
  type DrawingPlace,
  inPage,
  type LoadedChart,
  meanText,
  timeText,
  type WantedChart,
} from './drawing.ts';
import { type KnownChart, listOf, memberOf } from './known-plugin.ts';
import type { MarkedEvents } from './line-chart.ts';
import type { WantedLine } from './line-data.ts';
import { getJson } from './shared-requests.ts';
import { addSliceCursor } from './slice-cursor.ts';
import type { TipWords } from './tip.ts';

/** Loads the history of a chart of shares, or that of the inner shares of its open slice. */
export async function loadHistoryInPage(
  source: HistorySource & MarkedEvents,
  loaded: WantedChart,
): Promise<Pick<LoadedChart, 'hasAll' | 'draw'>> {
  const group = loaded.open?.name;
  const history = await fetchHistory(source, loaded, group);
  const canOpen = group === undefined && source.known.chart.form === 'drilldown';
  return {
    hasAll: ({ window, open }) => isSamePeriod(window, loaded.window) && open?.name === group,
    draw: (wanted, place) => {
      const drawn = history && drawHistory(history, { ...source, ...wanted, ...place, canOpen, group });
      const about = { isHistory: true, isOpened: group !== undefined };
      return { ...about, ...(drawn ?? { description: '', sentence: 'No history yet.' }) };
    },
  };
}

interface HistoryOptions extends MarkedEvents, WantedChart, DrawingPlace {
  readonly canOpen: boolean;
  readonly group: string | undefined;
}

function drawHistory(loaded: HistoryToDraw, options: HistoryOptions): Drawing {
  const { window: range, unit, width, height, canOpen, group, events, eventLinks } = options;
  const { from, to } = loaded;
  const marks = eventLinks?.marksOf(events, { from, to, width });
  const title = group === undefined ? options.title : `${options.title} › ${group}`;
  const named = { ...loaded, title, events: marks?.columns };
  // The inner shares have other names.
  const filter = group === undefined ? options.filter : undefined;
  const nowMs = Date.now();
  const place = { width, height, isShown: shareTest(filter), nowMs, ...inPage };
  const layout = layoutHistory(named, { ...place, range, unit });
  if (layout === undefined)
    return { description: '', sentence: nothingCounted(range, { timestamp: to, nowMs }) };
  const { history, description } = layout;
  const words = history.shares.map(({ name, last }) => ({ strong: name, rest: [meanText(last)] }));
  return {
    description,
    svg: layout.draw(),
    readable: {
      layout,
      times: history.times,
      stepMs: history.step.ms,
      yAt: () => undefined,
      wordsAt: (index) => wordsAt(history, index),
    },
    connect: (svg, { choose, ...actions }) => {
      const slices = { svg, words, canOpen: (index: number) => canOpen && words[index] !== undefined };
      addSliceCursor(slices, { ...actions, filter, choose: group === undefined ? choose : undefined });
      return marks?.linksOn(layout, actions);
    },
    tableOf: () => historyTable(named, events),
  };
}

/** The number of shares that the tip names. */
const namedCount = 6;

function wordsAt(history: HistoryToDraw, index: number): TipWords {
  const { times, step } = history;
  const values = allShares(history).map(({ name, values: column }) => ({ name, value: column[index] ?? 0 }));
  const total = totalOf(values.map(({ value }) => value));
  const [first, ...others] = values
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, namedCount)
    .map(({ name, value }) => `${name} ${formatShare(value / total)} · ${meanText(value)}`);
  return { strong: first ?? 'Nothing counted', rest: [timeText(times[index], step), ...others] };
}

/** The table of a history: every share with its part at both ends of the window, and the change between them; then the events of the window. */
function historyTable(history: HistoryToDraw, events: readonly PluginEvent[] = []): ChartTable {
  const { title, times, step, from, to } = history;
  const all = allShares(history);
  const totals = [0, -1].map((end) => totalOf(all.map(({ values }) => values.at(end) ?? 0)));
  const partOf = (value: number, total = 0) => (total > 0 ? Math.max(0, value) / total : 0);
  const rows = all.map(({ name, values }) => {
    const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
    const [before, after] = [partOf(first, totals[0]), partOf(last, totals[1])];
    return [name, formatShare(before), formatShare(after), pointsWords(after - before), meanText(last)];
  });
  const days = [times[0] ?? 0, times.at(-1) ?? 0].map(formatDay);
  const note = [step.mean, leaderPhrase(history) ?? []].flat();
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

/** A chart of shares on a server with `/api/v2`. */
interface HistorySource {
  readonly server: string;
  /** `1337:os`, percent-encoded. */
  readonly name: string;
  readonly known: KnownChart;
}

/** The most shares that an answer may have; `Other` is the sum of the rest. */
const top = 100;

/** Fetches a history; of a drilldown pie that of the outer shares, or of the inner ones of `group`. Undefined where it has none. */
async function fetchHistory(
  { server, name, known: { chart, span } }: HistorySource,
  { window: period, width }: WantedLine,
  group?: string,
): Promise<HistoryToDraw | undefined> {
  if (span === undefined) return undefined;
  const query = historyQuery(period, span, width);
  const { window, step, latest: latestWindow } = query;
  const level = group === undefined ? '' : '&level=2';
  const sharesOver = async (over: typeof window, aggregate: string) =>
    sharesIn(
      await getJson(
        `${server.slice(0, -1)}${seriesPath(name, over)}&step=${step}&aggregate=${aggregate}&top=${top}${level}`,
      ),
      group,
    );
  const [means, latest] = await Promise.all([sharesOver(window, 'mean'), sharesOver(latestWindow, 'last')]);
  return historyOfSeries(chart, query, { means, latest });
}

/** The series of an answer: of outer shares, or of the inner ones of a group. */
function sharesIn(answer: unknown, group: string | undefined): SharesOverTime {
  return {
    times: numbersOf(memberOf(answer, 'times')),
    series: listOf(memberOf(answer, 'series'))
      .filter((series) => memberOf(series, 'group') === group)
      .map((series) => ({
        name: String(memberOf(series, 'name')),
        values: numbersOf(memberOf(series, 'values')),
        isOther: memberOf(series, 'isOther') === true,
      })),
  };
}

function numbersOf(list: unknown): Float64Array {
  return Float64Array.from(listOf(list), (value) => (typeof value === 'number' ? value : 0));
}
