/** Checks all tallies of a store: the data of each chart must have the rows that were stored. */
import type { Row } from '../rows.ts';
import { type Pages, rowsOf } from '../stored-records.ts';
import { addTallies, tallyFault, tallyOf } from '../tally.ts';

/** Names a chart in messages; no two charts have the same name. */
export function seriesName(row: Row): string {
  return `plugin ${row['plugin_id']}, chart ${row['chart_id']}`;
}

/** Checks charts and chunks side by side, both by ascending uid, so that it holds one chart at a time. */
export class TallyChecker {
  readonly #charts: AsyncIterator<Row>;
  /** The chart whose chunks come next; undefined before the first. */
  #chart: Row | undefined;
  #found = 0;
  #isStarted = false;

  constructor(tallies: Pages) {
    this.#charts = rowsOf(tallies);
  }

  /** Takes the next chunk and yields the faults of the charts before it. Ignores a chunk without a chart: another check reports it. */
  async *take(chunk: Row): AsyncGenerator<string> {
    const uid = Number(chunk['chart_uid']);
    if (!this.#isStarted) await this.#next();
    while (this.#chart !== undefined && Number(this.#chart['uid']) < uid) {
      yield* this.#faults(this.#chart);
      await this.#next();
    }
    if (this.#chart !== undefined && Number(this.#chart['uid']) === uid)
      this.#found = addTallies(this.#found, tallyOf(Number(chunk['first_timestamp'])));
  }

  /** Yields the faults of the remaining charts. */
  async *finish(): AsyncGenerator<string> {
    if (!this.#isStarted) await this.#next();
    for (; this.#chart !== undefined; await this.#next()) yield* this.#faults(this.#chart);
  }

  async #next(): Promise<void> {
    this.#isStarted = true;
    const next = await this.#charts.next();
    this.#chart = next.done === true ? undefined : next.value;
    this.#found = Number(this.#chart?.['has_snapshot'] ?? 0) === 1 ? tallyOf('snapshot') : 0;
  }

  *#faults(chart: Row): Generator<string> {
    const fault = tallyFault(Number(chart['tally']), this.#found);
    if (fault !== undefined) yield `${seriesName(chart)}: ${fault}`;
  }
}
