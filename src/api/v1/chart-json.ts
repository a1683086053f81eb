/** Charts as JSON text. Settings are inserted as they are stored, and a registry keeps its order. */
import type { Chart } from '../../model/chart.ts';
import type { ApiOptions } from '../api-options.ts';

/** A chart object (interface.md 2.5). */
export function chartJson(chart: Chart, { hasLiveFields }: ApiOptions): string {
  const { chartId, uid, type, position, title, isDefault, data } = chart;
  const text = `${JSON.stringify({ uid, type, position, title, isDefault }).slice(0, -1)},"data":${data}`;
  return hasLiveFields ? `${text},"idCustom":${JSON.stringify(chartId)}}` : `${text}}`;
}

/** Options of {@link registryParts}: those of the interfaces, and the text around the registry. */
interface RegistryFrame extends ApiOptions {
  readonly before: string;
  readonly after: string;
}

/**
 * A chart registry (interface.md 2.3b) in the given order, a part for each batch. Written as text because a JavaScript object
 * would put keys that look like integers first.
 */
export async function* registryParts(
  batches: AsyncIterable<readonly Chart[]>,
  { before, after, ...options }: RegistryFrame,
): AsyncGenerator<string> {
  let part = `${before}{`;
  let isFirst = true;
  for await (const charts of batches) {
    if (charts.length === 0) {
      // An empty part ends the turn.
      yield '';
      continue;
    }
    if (!isFirst) {
      yield part;
      part = ',';
    }
    part += charts.map((chart) => `${JSON.stringify(chart.chartId)}:${chartJson(chart, options)}`).join();
    isFirst = false;
  }
  yield `${part}}${after}`;
}
