/** Every metric that the program defines, for the documents, the dashboard and the alerts. */
import { type MetricObject, register } from '@prometheus-io/client';
import { AdminPages } from '../../src/admin/admin-pages.ts';
import { watchProcess } from '../../src/admin/process-metrics.ts';
import { addStoreMetrics } from '../../src/serve/store-metrics.ts';

/** A metric as it is defined. */
export type DefinedMetric = Pick<MetricObject, 'name' | 'type' | 'help'>;

const pages = new AdminPages({
  version: '1.2.3',
  reader: () => undefined,
  findReason: () => undefined,
  renderCounts: () => register.metrics(),
  logFailure(path, error) {
    throw new Error(path, { cause: error });
  },
});
addStoreMetrics(pages.registry, () => ({
  generation: () => 1,
  unreachableMs: () => 0,
  async *listNewestTimes() {
    yield 1000;
  },
}));

/** Metrics of collecting alone. */
export const collectingMetrics: readonly DefinedMetric[] = await addedBy(
  () => import('../../src/collect/metrics.ts'),
);

const countedMetrics = await addedBy(() => import('../../src/http/metrics.ts'));
const processMetrics = await addedBy(async () => watchProcess());

/** Metrics of `serve`, without those of Node that the client of Prometheus adds. */
export const servingMetrics: readonly DefinedMetric[] = [
  ...countedMetrics,
  ...pages.registry.getMetricsAsArray(),
  ...processMetrics.filter(({ name }) =>
    /^(?:plugin_metrics_.*|process_cpu_seconds_total|process_resident_memory_bytes)$/.test(name),
  ),
];

/** Renders all metrics, those of Node too. */
export async function allMetricsText(): Promise<string> {
  return `${await pages.registry.metrics()}${await register.metrics()}`;
}

async function addedBy(define: () => Promise<unknown>): Promise<DefinedMetric[]> {
  const before = new Set(register.getMetricsAsArray());
  await define();
  return register.getMetricsAsArray().filter((metric) => !before.has(metric));
}
