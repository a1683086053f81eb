/** Shares over time in the page. */
import { endOf, formatMean, formatShare } from '../../../draw/format.ts';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import { historyOfSeries } from '../../../draw/history/history-series.ts';
import {
  allShares,
  type HistoryToDraw,
  leaderPhrase,
  totalOf,
} from '../../../draw/history/history-to-draw.ts';
import { formatPoints } from '../../../draw/percentage-points.ts';
import type { SeriesAnswer } from '../../../model/series-source.ts';
import { minorLine } from '../../../model/versions.ts';
import { loadSharesOverTime, maxNamedShares } from '../../../query/load-shares.ts';
import { shareTest } from '../../state/share-filter.ts';
import type { SharesChart } from './added-shares.ts';
import {
  type Drawing,
  type DrawingPlace,
  inPage,
  type TipWords,
  timeText,
  type WantedChart,
} from './drawing.ts';
import { type FetchedChart, loadMarks, windowOfCharts } from './fetch.ts';
import { addSliceCursor } from './slice-cursor.ts';
import type { ChartTable } from './table.ts';

/** Loads the history of a chart, or of its open share; the function that is returned draws it. */
export async function loadSharesHistory(
  known: SharesChart,
  loaded: WantedChart,
): Promise<(wanted: WantedChart, place: DrawingPlace) => Drawing> {
  const opened = loaded.open?.name;
  const [history, marksIn] = await Promise.all([fetchHistory(known, loaded, opened), loadMarks(known)]);
  const about = { isHistory: true, isOpened: opened !== undefined };
  const canOpen = opened === undefined && known.chart.form === 'drilldown';
  return (wanted, place) =>
    history === undefined
      ? { ...about, description: '', sentence: 'No history yet.' }
      : {
          ...about,
          ...drawHistory(history, { ...wanted, ...place, events: known.events, marksIn, canOpen, opened }),
        };
}

interface HistoryOptions extends WantedChart, DrawingPlace, Pick<FetchedChart, 'events'> {
  readonly marksIn: Awaited<ReturnType<typeof loadMarks>> | undefined;
  readonly canOpen: boolean;
  readonly opened: string | undefined;
}

function drawHistory(loaded: HistoryToDraw, options: HistoryOptions): Drawing {
  const { window: range, view, unit, width, height, isInCard, canOpen, opened, events, marksIn } = options;
  const { marks, linksOn } = marksIn?.({ window: loaded.window, width }) ?? {};
  const title = opened === undefined ? options.title : `${options.title} › ${opened}`;
  const named = { ...loaded, title };
  // The inner shares have other names.
  const filter = opened === undefined ? options.filter : undefined;
  const nowMs = Date.now();
  const place = { width, height, isInCard, isShown: shareTest(filter), nowMs, ...inPage };
  const layout = layoutHistory(named, { ...place, range, unit, areLines: view === 'lines', marks });
  if (layout === undefined)
    return { description: '', sentence: nothingCounted(range, endOf(loaded.window, nowMs)) };
  const { history, description } = layout;
  const words = history.shares.map(({ name, last }) => ({ strong: name, rest: [formatMean(last)] }));
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
      const slices = {
        svg,
        words,
        filter,
        canOpen: (index: number) => canOpen && words[index] !== undefined,
      };
      addSliceCursor(slices, { ...actions, choose: opened === undefined ? choose : undefined });
      return linksOn?.(layout, actions);
    },
    table: () => historyTable(named, events),
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
    .map(({ name, value }) => `${name} ${formatShare(value / total)} · ${formatMean(value)}`);
  return { strong: first ?? 'Nothing counted', rest: [timeText(times[index], step), ...others] };
}

/**
 * The table of a history: every share with its part at both ends of the window, and the change between them;
 * then the events of the window.
 */
function historyTable(history: HistoryToDraw, events: FetchedChart['events']): ChartTable {
  const { title, times, step, window } = history;
  const all = allShares(history);
  const totals = [0, -1].map((end) => totalOf(all.map(({ values }) => values.at(end) ?? 0)));
  const partOf = (value: number, total = 0) => (total > 0 ? Math.max(0, value) / total : 0);
  const rows = all.map(({ name, values }) => {
    const [first, last] = [values[0] ?? 0, values.at(-1) ?? 0];
    const [before, after] = [partOf(first, totals[0]), partOf(last, totals[1])];
    return [name, formatShare(before), formatShare(after), formatPoints(after - before), formatMean(last)];
  });
  const ends = [times[0], times.at(-1)].map((time) => timeText(time, step));
  const note = [step.mean, leaderPhrase(history) ?? []].flat();
  return {
    title,
    note: note.join(', '),
    columns: ['Name', ...ends, 'Change', 'Value'],
    rows,
    events: events.filter(({ time }) => time >= window.from && time < window.to).toReversed(),
  };
}

/**
 * Fetches a history; of a drilldown pie that of the outer shares, or of the inner ones of the open share.
 * Undefined where it has none.
 */
async function fetchHistory(
  known: SharesChart,
  { window: period, width, group }: WantedChart,
  opened: string | undefined,
): Promise<HistoryToDraw | undefined> {
  if (known.span === undefined) return undefined;
  const isShown = (outer: string | null) =>
    (outer !== null && group === 'minor' ? minorLine(outer) : outer) === (opened ?? null);
  const { query, means, latest } = await loadSharesOverTime(
    known.source,
    { charts: known.charts, span: known.span },
    {
      period: windowOfCharts([known], period),
      width,
      level: opened === undefined ? 1 : 2,
      top: maxNamedShares,
    },
  );
  const shownIn = ({ times, series }: SeriesAnswer) => ({
    times,
    series: series.filter((share) => isShown(share.group)),
  });
  // The inner shares have other names.
  const inner = opened === undefined ? {} : { colours: undefined, mostUsed: undefined };
  const shares = { means: shownIn(means), latest: shownIn(latest) };
  return historyOfSeries({ ...known.chart, ...inner }, query, shares, group);
}
