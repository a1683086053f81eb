/** Warns of charts whose points all lie before 1980: their times are probably seconds where milliseconds belong. */
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { Points } from '../model/points.ts';

const year1980 = Date.UTC(1980, 0);

/** The most charts that are remembered; from there on the warning says "at least". */
const maxCharts = 10_000;

/** Collects charts whose points all lie before 1980. */
export class EarlyCharts {
  readonly #charts = new Map<string, string>();

  /** Takes the points of a data record. Later points take their chart out again. */
  take({ pluginId, chartId }: MetricsRecord & { readonly kind: 'data' }, { timestamps }: Points): void {
    const last = timestamps.at(-1);
    if (last === undefined) return;
    const key = `${pluginId} ${chartId}`;
    if (last >= year1980) this.#charts.delete(key);
    else if (this.#charts.size < maxCharts) this.#charts.set(key, `plugin ${pluginId}, chart ${chartId}`);
  }

  /** A line for each of the first charts, and one that counts the others. */
  warnings(shownCount = 5): string[] {
    const names = [...this.#charts.values()];
    const otherCount = names.length - shownCount;
    const atLeast = names.length === maxCharts ? 'at least ' : '';
    return [
      ...names
        .slice(0, shownCount)
        .map(
          (name) =>
            `warning: ${name}: all points of this import lie before 1980; are their times seconds instead of milliseconds?`,
        ),
      ...(otherCount > 0
        ? [`warning: so do those of ${atLeast}${otherCount} other chart${otherCount === 1 ? '' : 's'}`]
        : []),
    ];
  }
}
