/** The points of a line over a window, by step. */
import type { LinePart, LineSums, SumStep } from '../model/line-sums.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { Points } from '../model/points.ts';
import type { MakeRoom } from '../model/room.ts';
import { steps } from './series-query.ts';
import { type Aggregate, type SteppedWindow, StepTimes, StepValues } from './steps.ts';

/** A line over a window: a column for each aggregate that was asked for. */
export interface LineColumns {
  /** Beginnings of the steps that have points, or the times of the points. */
  readonly times: Float64Array;
  readonly columns: readonly Float64Array[];
}

/** Aggregates that follow from sums. */
const knownBySums: Readonly<Record<SumStep, readonly Aggregate[]>> = {
  day: ['mean', 'count'],
  week: ['mean', 'count', 'min', 'max'],
};

/** A line, the window of it, and what is asked of each step. */
interface LineWindow extends SteppedWindow {
  readonly uid: number;
  readonly aggregates: readonly Aggregate[];
  /** Makes the room for each part. */
  readonly makeRoom?: MakeRoom;
}

/**
 * Reads a line over a window in ascending parts, for {@link LineSteps}. Sums by day and by week are used where they tell all that is asked for:
 * `mean` and `count`, by week also `min` and `max`. So ten years take a tenth of the time that their points do.
 * @throws AppError `unavailable` if the store is damaged.
 */
export async function* readLineParts(
  view: MetricsView,
  { uid, aggregates, makeRoom, ...window }: LineWindow,
): AsyncGenerator<LinePart> {
  const step = sumStepOf(window.step);
  if (step !== undefined && aggregates.every((aggregate) => knownBySums[step].includes(aggregate)))
    yield* view.readSums(uid, window, step, makeRoom);
  else for await (const points of view.readPoints(uid, window, makeRoom)) yield { kind: 'points', points };
}

function sumStepOf(step: number | null): SumStep | undefined {
  if (step === steps['1d']) return 'day';
  return step === steps['7d'] ? 'week' : undefined;
}

/** Gathers the points of a line in a window. */
export class LineSteps {
  readonly #times: StepTimes;
  readonly #columns: readonly { readonly aggregate: Aggregate; readonly values: StepValues }[];

  constructor(window: SteppedWindow, aggregates: readonly Aggregate[]) {
    this.#times = new StepTimes(window);
    this.#columns = aggregates.map((aggregate) => ({
      aggregate,
      values: new StepValues({ ...window, aggregate }),
    }));
  }

  /** Number of steps, or of points without a step. */
  get stepCount(): number {
    return this.#times.times.length;
  }

  /** Adds a part that is later than those before; returns how many numbers it has. */
  add(part: LinePart): number {
    if (part.kind === 'points') {
      this.#addPoints(part.points);
      return part.points.timestamps.length;
    }
    this.#addSums(part.sums);
    return part.sums.times.length;
  }

  finish(): LineColumns {
    const columns = this.#columns.map(({ values }) => values.finish(this.#times));
    return { times: this.#times.times.take(), columns };
  }

  #addPoints({ timestamps, values }: Points): void {
    const range = this.#times.add(timestamps);
    for (const column of this.#columns) column.values.add(range, values);
  }

  #addSums(sums: LineSums): void {
    const first = this.#times.addSteps(sums.times, sums.counts);
    for (const { aggregate, values } of this.#columns) {
      const column = columnOf(sums, aggregate);
      if (column !== undefined) values.addSteps(first, column);
    }
  }
}

/** Finds the column of sums that an aggregate is made of. */
function columnOf({ sums, extremes }: LineSums, aggregate: Aggregate): Float64Array | undefined {
  switch (aggregate) {
    case 'mean':
      return sums;
    case 'min':
      return extremes?.lowest;
    case 'max':
      return extremes?.highest;
    case 'count':
    case 'last':
      return undefined;
    default:
      return aggregate satisfies never;
  }
}
