/** Renders metrics for Prometheus. */
import type { Metric } from './process-metrics.ts';

/** The media type of {@link metricsText}. */
export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8';

/** Renders metrics in the text format of Prometheus, version 0.0.4. */
export function metricsText<Source>(metrics: readonly Metric<Source>[], source: Source): string {
  let text = '';
  for (const { name, type, help, samples } of metrics) {
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels = {}, value } of samples(source))
      text += `${name}${suffix}${labelText(labels)} ${value}\n`;
  }
  return text;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join()}}`;
}
