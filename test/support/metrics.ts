/** Reads the metrics of this process, which all of its servers share. */
import { register } from '@prometheus-io/client';

/**
 * Reads a metric of the program by its name after `plugin_metrics_`, summed over all labels that are not
 * given.
 */
export type MetricReading = (name: string, labels?: Readonly<Record<string, string>>) => Promise<number>;

/** Makes a reading that counts from now on. */
export async function countFromNow(): Promise<MetricReading> {
  const before = structuredClone(await register.getMetricsAsJSON());
  return async (name, labels = {}) => {
    const sumIn = (metrics: typeof before) =>
      (metrics.find((metric) => metric.name === `plugin_metrics_${name}`)?.values ?? [])
        .filter((value) => hasLabels(value.labels, labels))
        .reduce((sum, { value }) => sum + value, 0);
    return sumIn(await register.getMetricsAsJSON()) - sumIn(before);
  };
}

function hasLabels(labels: object, wanted: Readonly<Record<string, string>>): boolean {
  const all: Readonly<Record<string, unknown>> = { ...labels };
  return Object.entries(wanted).every(([name, value]) => all[name] === value);
}
