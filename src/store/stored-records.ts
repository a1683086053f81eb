/** Reads a whole store as records, in an order that is the same for every store: an export of the same data has the same bytes. */

import type { ChartData } from '../model/chart-data.ts';
import { shapeOf, storageOf } from '../model/data-shapes.ts';
import { trustedJson } from '../model/json-text.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { type Points, regroupPoints } from '../model/points.ts';
import { type Chunk, decodeChunk } from '../series/chunk.ts';
import { chartOf, integer, pluginFieldsOf, type Row, softwareFieldsOf, text } from './rows.ts';

/** Rows in pages of bounded size. */
export type Pages = AsyncIterable<readonly Row[]>;

/** The rows of one state of a store, with the columns of `columnNames`. */
export interface StoredState {
  /** By ascending id. */
  software(): Pages;
  /** By ascending id, with `owner_name` and `owner_checksum`. */
  plugins(): Pages;
  /** By plugin, then chart id bytewise; with the snapshot's `json` and `json_checksum`, or null. */
  charts(): Pages;
  /** Loads the chunks of one chart of the latest page of charts, in ascending order. */
  loadSeries(uid: number): Promise<readonly Chunk[]>;
  /** Every chunk by chart uid, then time; with the chart's `plugin_id`, `chart_id` and `type`. */
  chunks(): Pages;
  /** Every chart by uid: `uid`, `plugin_id`, `chart_id`, `tally` and `has_snapshot`. Can be read in turn with `chunks`. */
  tallies(): Pages;
  /** By plugin, then chart id. */
  removals(): Pages;
}

const maxBatchRecords = 64;

/** Yields all records; the data of a chart follows the chart. */
export async function* storedRecords(
  state: StoredState,
  place: string,
): AsyncGenerator<readonly MetricsRecord[]> {
  for await (const page of state.software())
    yield page.map((row) => ({ place, kind: 'software', software: softwareFieldsOf(row) }));
  for await (const page of state.plugins())
    yield page.map((row) => ({ place, kind: 'plugin', plugin: pluginFieldsOf(row) }));
  let batch: MetricsRecord[] = [];
  for await (const page of state.charts()) {
    for (const row of page) {
      batch.push(...chartRecords(row, place));
      if (storageOf(text(row['type'])) === 'series') {
        const chunks = await state.loadSeries(integer(row['uid']));
        for (const points of regroupPoints(decodeAll(chunks))) {
          batch.push(dataRecord(row, place, { storage: 'series', points }));
          if (batch.length < maxBatchRecords) continue;
          yield batch;
          batch = [];
        }
      }
      if (batch.length < maxBatchRecords) continue;
      yield batch;
      batch = [];
    }
  }
  yield [...batch, { place, kind: 'end' }];
}

/**
 * Makes the record of a chart and, unless the chart is a line or its data is empty, of its data. In the interface, empty data
 * looks like no data, so a mirror could not export the same bytes if it were a record.
 */
export function chartRecords(row: Row, place: string): MetricsRecord[] {
  const chart = chartOf(row);
  const records: MetricsRecord[] = [{ place, kind: 'chart', pluginId: integer(row['plugin_id']), chart }];
  const { storage, emptyData } = shapeOf(chart.type);
  if (storage === 'snapshot' && row['json'] !== null && row['json'] !== emptyData)
    records.push(dataRecord(row, place, { storage: 'snapshot', json: trustedJson(text(row['json'])) }));
  return records;
}

function dataRecord(row: Row, place: string, data: ChartData): MetricsRecord {
  const [pluginId, chartId] = [integer(row['plugin_id']), text(row['chart_id'])];
  return { place, kind: 'data', pluginId, chartId, dataFor: () => data };
}

function* decodeAll(chunks: readonly Chunk[]): Generator<Points> {
  for (const chunk of chunks) yield decodeChunk(chunk);
}
