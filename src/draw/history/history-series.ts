/** Makes the history of a chart of shares from series, which pictures load from the store and pages fetch. */
import { groupSeries } from '../../model/versions.ts';
import {
  type DataWindow,
  lastTimeOf,
  lengthOf,
  type Period,
  type Span,
  type StepName,
  stepStart,
  steps,
  windowOver,
  windowUpTo,
} from '../../model/window.ts';
import { type ChartToDraw, coloursOf, type ShareGrouping } from '../chart-content.ts';
import { colourRanks } from '../shares/share-colours.ts';
import { shareNames } from '../shares/slices.ts';
import { historyStep, timeStep } from '../time-step.ts';
import { type HistoryToDraw, wholeOf } from './history-to-draw.ts';

/** The series that a history needs. */
export interface HistoryQuery {
  /** Window of the means of each step. */
  readonly window: DataWindow;
  readonly step: StepName;
  /**
   * Window of the latest values, which the means do not show: at most one step long, with the same end as
   * `window`.
   */
  readonly latest: DataWindow;
  /** Window of the drawing, and the newest time of the chart within it. */
  readonly drawn: DataWindow;
  readonly newest: number;
}

/** Computes the query for a chart with the given span. */
export function historyQuery(period: Period, span: Span, width: number): HistoryQuery {
  const drawn = windowOver(period, span);
  const window = windowUpTo(period, span);
  const step = historyStep(lengthOf(drawn), width);
  const lastStep = stepStart(lastTimeOf(window), steps[step]);
  const latest = { from: Math.max(window.from, lastStep), to: window.to };
  return { window, step, latest, drawn, newest: Math.min(lastTimeOf(drawn), span.last) };
}

/** Series of a chart of shares: the largest shares, and one series for all others. */
export interface SharesOverTime {
  readonly times: Float64Array;
  readonly series: ReadonlyArray<{
    readonly name: string;
    readonly values: Float64Array;
    readonly isOther?: boolean;
    /** Number of the others; undefined if unknown. */
    readonly otherCount?: number;
  }>;
}

/**
 * Makes a history from the means of each step and the latest values. `group` adds up the shares of each minor
 * line.
 */
export function historyOfSeries(
  {
    form,
    colours,
    mostUsed,
    ...chart
  }: Pick<ChartToDraw, 'form' | 'title' | 'pluginName' | 'isDefault' | 'colours' | 'mostUsed'>,
  { step, drawn, newest }: HistoryQuery,
  given: { readonly means: SharesOverTime; readonly latest: SharesOverTime },
  group?: ShareGrouping,
): HistoryToDraw {
  const grouped = group === 'minor' ? groupSeries : (one: SharesOverTime) => one;
  const [means, latest] = [grouped(given.means), grouped(given.latest)];
  const shownNameOf = shareNames(form);
  const names = new Set(means.series.map(({ name, isOther }) => (isOther === true ? undefined : name)));
  // A share that is not among the largest of the window counts among the others, even if its latest value is
  // large.
  const lasts = new Map<string | undefined, number>();
  for (const { name, isOther, values } of latest.series) {
    const key = isOther !== true && names.has(name) ? name : undefined;
    lasts.set(key, (lasts.get(key) ?? 0) + (values.at(-1) ?? 0));
  }
  const shares = means.series.map(({ name, isOther = false, otherCount, values }) => ({
    name: shownNameOf(name),
    isOther,
    shareCount: otherCount,
    values,
    last:
      latest.times.length === 0 ? wholeOf(values.at(-1) ?? 0) : (lasts.get(isOther ? undefined : name) ?? 0),
  }));
  const other = shares.find(({ isOther }) => isOther);
  // A share that is always 0 in this window is left out.
  const own = shares.filter(({ isOther, values }) => !isOther && values.some((value) => value !== 0));
  const ranks = colourRanks(
    own.map(({ name }) => name),
    coloursOf({ colours, group }, shownNameOf),
  );
  return {
    ...chart,
    // `mostUsed` names a single version, which does not fit minor lines.
    mostUsed: group === 'minor' ? undefined : mostUsed,
    window: drawn,
    newest,
    times: means.times,
    step: timeStep(step),
    shares: own.map((share, index) => ({ ...share, colour: ranks[index] ?? index })),
    other: other && { ...other, name: undefined },
  };
}
