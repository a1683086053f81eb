/** Warns of charts with points before 1980: their times are probably seconds where milliseconds belong. */
import type { MetricsRecord } from '../model/metrics-record.ts';

const year1980 = Date.UTC(1980, 0);

/** The most charts that are remembered; from there on the warning says "at least". */
const maxCharts = 10_000;

/** Times before 1980, in Unix milliseconds. */
interface Span {
  first: number;
  last: number;
}

/** Times of one chart, and the place of the first record with some. */
interface EarlyChart extends Span {
  readonly place: string;
  readonly pluginId: number;
  readonly chartId: string;
}

/** Collects the times before 1980 of an import. */
export class EarlyCharts {
  readonly #charts = new Map<string, EarlyChart>();
  readonly #all: Span = { first: year1980, last: 0 };

  /** Takes the times of a record, which ascend. */
  take(
    { place, pluginId, chartId }: MetricsRecord & { readonly kind: 'data' | 'history' },
    times: Float64Array,
  ): void {
    const [first = year1980] = times;
    if (first >= year1980) return;
    const last = times.findLast((time) => time < year1980) ?? first;
    widen(this.#all, { first, last });
    const key = `${pluginId}/${chartId}`;
    const known = this.#charts.get(key);
    if (known !== undefined) widen(known, { first, last });
    else if (this.#charts.size < maxCharts) this.#charts.set(key, { place, pluginId, chartId, first, last });
  }

  /**
   * Two lines for each of the first charts, and two for all others: what is wrong, and the command that removes it.
   * @param commandOf renders a command of the program for a shell, on the store of the import.
   */
  warnings(commandOf: (words: readonly string[]) => string, shownCount = 5): string[] {
    const charts = [...this.#charts.values()];
    const lines = charts
      .slice(0, shownCount)
      .flatMap(({ place, pluginId, chartId, ...span }) => [
        `warning: ${place}: plugin ${pluginId}, chart ${chartId}: points lie before 1980, the first at ${isoOf(span.first)}; are their times seconds instead of milliseconds? This removes them:`,
        commandOf(['prune', '--chart', `${pluginId}/${chartId}`, ...boundsOf(span)]),
      ]);
    const others = charts.slice(shownCount);
    const [other] = others;
    if (other === undefined) return lines;
    const isComplete = charts.length < maxCharts;
    const isOnePlugin = isComplete && others.every(({ pluginId }) => pluginId === other.pluginId);
    const [where, words] = isOnePlugin
      ? [`every chart of plugin ${other.pluginId}`, ['--plugin', `${other.pluginId}`]]
      : ['every chart', []];
    const count = `${isComplete ? '' : 'at least '}${others.length} other chart${others.length === 1 ? '' : 's'}`;
    return [
      ...lines,
      `warning: ${other.place}: so do those of ${count}. This removes what ${where} has at such times:`,
      commandOf(['prune', ...words, ...boundsOf(this.#all)]),
    ];
  }
}

function widen(span: Span, { first, last }: Span): void {
  span.first = Math.min(span.first, first);
  span.last = Math.max(span.last, last);
}

/** The options of `prune` for a span: what lies at exactly one of its two dates stays. */
function boundsOf({ first, last }: Span): readonly string[] {
  return ['--after', isoOf(first - 1), '--before', isoOf(last + 1)];
}

function isoOf(timestamp: number): string {
  return new Date(timestamp).toISOString();
}
