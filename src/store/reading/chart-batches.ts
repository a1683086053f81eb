/**
 * Lists the charts of a plugin in batches. It reads all keys first, so that no statement reads more settings
 * than fit a batch.
 */
import { AppError } from '../../model/app-error.ts';
import type { Chart } from '../../model/catalogue.ts';
import { chartsPerBatch } from '../../model/metrics-reader.ts';
import { chartOf } from '../rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql } from '../sql.ts';
import { column, integer, statement } from '../statement.ts';
import { tables } from '../tables.ts';

const keysSql = paged(
  statement`
  select ${tables.chart.pick('uid', 'chartId', 'position')}, octet_length(settings) as ${column('settingsBytes', integer)}
  from chart
  where chart_id > ?1 and plugin_id = ?2
  order by chart_id`,
  2000,
);

const chartsSql = statement`select ${tables.chart.all} from chart where uid in ${idsIn(1)}`;

interface ChartKey {
  readonly uid: number;
  readonly chartId: string;
  readonly position: number;
  readonly settingsBytes: number;
}

/** Yields the charts by position, then chart id bytewise; see `MetricsView.listCharts`. */
export async function* chartBatches(sql: Sql, pluginId: number): AsyncGenerator<readonly Chart[]> {
  const allKeys: ChartKey[] = [];
  for await (const page of keysetPages(sql, keysSql, { chartId: '' }, pluginId)) {
    allKeys.push(...page);
    if (page.length === keysSql.limit) yield [];
  }
  // Chart ids are ASCII, so UTF-16 order is byte order.
  allKeys.sort((a, b) => a.position - b.position || (a.chartId < b.chartId ? -1 : 1));
  for (const keys of batchesOf(allKeys)) {
    const charts = new Map<number, Chart>();
    for (const row of await sql.read(chartsSql, keyList(keys.map(({ uid }) => uid))))
      charts.set(row.uid, chartOf(row));
    yield keys.map(({ uid }) => {
      const chart = charts.get(uid);
      if (chart !== undefined) return chart;
      const message = `the store is damaged: it lists the chart ${uid} and does not hold it`;
      throw new AppError('store-unavailable', message);
    });
  }
}

function* batchesOf(keys: readonly ChartKey[]): Generator<readonly ChartKey[]> {
  const { maxCount, maxBytes } = chartsPerBatch;
  let batch: ChartKey[] = [];
  let sizeBytes = 0;
  for (const key of keys) {
    if (batch.length === maxCount || (batch.length > 0 && sizeBytes + key.settingsBytes > maxBytes)) {
      yield batch;
      batch = [];
      sizeBytes = 0;
    }
    batch.push(key);
    sizeBytes += key.settingsBytes;
  }
  if (batch.length > 0) yield batch;
}
