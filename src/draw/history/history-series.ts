/** The history of a chart of shares from its series: a picture loads them from the store, a page fetches them. */
import { groupSeries } from '../../model/minor-line.ts';
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

/** The series that a history is made of. */
export interface HistoryQuery {
  /** The window of the means by step. */
  readonly window: DataWindow;
  readonly step: StepName;
  /** The window of the latest values, which a mean hides: it ends as the other one does, and is within one step. */
  readonly latest: DataWindow;
  /** The window of the drawing, and the newest time that the chart has there. */
  readonly drawn: DataWindow;
  readonly newest: number;
}

/** The series to ask for, of a chart with this span. */
export function historyQuery(period: Period, span: Span, width: number): HistoryQuery {
  const drawn = windowOver(period, span);
  const window = windowUpTo(period, span);
  const step = historyStep(lengthOf(drawn), width);
  const lastStep = stepStart(lastTimeOf(window), steps[step]);
  const latest = { from: Math.max(window.from, lastStep), to: window.to };
  return { window, step, latest, drawn, newest: Math.min(lastTimeOf(drawn), span.last) };
}

/** Series of one chart of shares: the largest, and the others as one. */
export interface SharesOverTime {
  readonly times: Float64Array;
  readonly series: ReadonlyArray<{
    readonly name: string;
    readonly values: Float64Array;
    readonly isOther?: boolean;
    /** The number of the others; undefined if it is not known. */
    readonly otherCount?: number;
  }>;
}

/** Makes a history from its means by step and its latest values. With `group`, the shares of each minor line are one. */
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
  // What is not among the largest of the window is one of the others, however large it was at last.
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
  // Nobody had those of 0 in this window.
  const own = shares.filter(({ isOther, values }) => !isOther && values.some((value) => value !== 0));
  const ranks = colourRanks(
    own.map(({ name }) => name),
    coloursOf({ colours, group }, shownNameOf),
  );
  return {
    ...chart,
    // A version is one of several of its minor line.
    mostUsed: group === 'minor' ? undefined : mostUsed,
    window: drawn,
    newest,
    times: means.times,
    step: timeStep(step),
    shares: own.map((share, index) => ({ ...share, colour: ranks[index] ?? index })),
    other: other && { ...other, name: undefined },
  };
}
