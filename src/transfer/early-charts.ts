/** Charts whose points all lie before 1980: whoever made them has probably written seconds where milliseconds belong. */
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { Points } from '../model/points.ts';

const year1980 = Date.UTC(1980, 0);

/** More than these are only counted as so many. */
const maxCharts = 10_000;

/** Looks at points while they are copied. */
export class EarlyCharts {
  readonly #charts = new Map<string, string>();

  /** Takes the points of a data record. A chart that has brought later ones is out. */
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
