/** Says which charts of reports are not counted: the author of a plugin cannot see it in the answer. */
import { quote } from '../model/app-error.ts';
import { valuesDropped } from './metrics.ts';
import type { DroppedValue } from './report-values.ts';

/** The most charts that are named for one slot. */
const maxNamed = 100;

/** Counts dropped values, and names their charts once a slot in the log. */
export class DroppedValues {
  readonly #log: (message: string) => void;
  #slot = 0;
  #named = new Set<string>();

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  /** Notes the dropped values of a report for a plugin. */
  note(slot: number, pluginId: number, dropped: readonly DroppedValue[]): void {
    if (slot !== this.#slot) this.#named.clear();
    this.#slot = slot;
    for (const { chartId, reason } of dropped) {
      valuesDropped.inc({ reason });
      const name = `${pluginId}/${chartId}`;
      if (this.#named.size >= maxNamed || this.#named.has(name)) continue;
      this.#named.add(name);
      this.#log(
        reason === 'unknown-chart'
          ? `a reported value is dropped: plugin ${pluginId} has no chart ${quote(chartId)} of its own`
          : `a reported value is dropped: it does not fit the type of the chart ${quote(chartId)} of plugin ${pluginId}`,
      );
    }
  }
}
