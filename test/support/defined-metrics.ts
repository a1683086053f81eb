/** Every metric that the program defines, for tests of the documents, the dashboard and the alerts. */
import { type MetricObject, register } from '@prometheus-io/client';
import { ErrorLog } from '../../src/http/logs.ts';
import type { MetricsView } from '../../src/model/metrics-reader.ts';

/** The definition of a metric. */
export type DefinedMetric = Pick<MetricObject, 'name' | 'type' | 'help'>;

const countedMetrics = await addedBy(() => import('../../src/http/metrics.ts'));

// The admin pages also count requests.
const { AdminPages } = await import('../../src/admin/admin-pages.ts');
const view = {
  async *listNewestTimes() {
    yield 1000;
  },
} as Partial<MetricsView> as MetricsView;
const { watchProcess } = await import('../../src/serve/process.ts');
const pages = new AdminPages({
  version: '1.2.3',
  reader: () => ({
    generation: () => 1,
    unreachableMs: () => 0,
    measureBytes: async () => 4096,
    read: () => Promise.reject(new Error('not asked for')),
    stream: (work) => work(view),
  }),
  findReason: () => undefined,
  renderCounts: () => register.metrics(),
  errorLog: new ErrorLog({
    write(line) {
      throw new Error(line);
    },
  }),
});

/** Metrics of `mirror` alone. */
export const mirroringMetrics: readonly DefinedMetric[] = await addedBy(
  () => import('../../src/mirror/metrics.ts'),
);

/** Metrics of `collect` alone. */
export const collectingMetrics: readonly DefinedMetric[] = await addedBy(
  () => import('../../src/collect/metrics.ts'),
);

const processMetrics = await addedBy(async () => watchProcess());

/** Metrics of `serve`, without those that the Prometheus client adds for Node. */
export const servingMetrics: readonly DefinedMetric[] = [
  ...countedMetrics,
  ...pages.registry.getMetricsAsArray(),
  ...processMetrics.filter(({ name }) =>
    /^(?:plugin_metrics_.*|process_cpu_seconds_total|process_resident_memory_bytes)$/.test(name),
  ),
];

/** Metrics of all commands. */
export const allMetrics: readonly DefinedMetric[] = [
  ...servingMetrics,
  ...collectingMetrics,
  ...mirroringMetrics,
];

/** Renders all metrics, including those for Node. */
export async function allMetricsText(): Promise<string> {
  return `${await pages.registry.metrics()}${await register.metrics()}`;
}

async function addedBy(define: () => Promise<unknown>): Promise<DefinedMetric[]> {
  const before = new Set(register.getMetricsAsArray());
  await define();
  return register.getMetricsAsArray().filter((metric) => !before.has(metric));
}
