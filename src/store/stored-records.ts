/** Everything in a store as records, in the one order that every store gives them: an export is the same bytes. */

import type { ChartData } from '../model/chart-data.ts';
import { shapeOf, storageOf } from '../model/data-shapes.ts';
import { trustedJson } from '../model/json-text.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { type Points, regroupPoints } from '../model/points.ts';
import { type Chunk, decodeChunk } from '../series/chunk.ts';
import { chartOf, integer, pluginFieldsOf, type Row, softwareFieldsOf, text } from './rows.ts';

/** Rows in pages of bounded size. */
export type Pages = AsyncIterable<readonly Row[]>;

/** One state of a store, whatever is written meanwhile. Rows have the columns of `columnNames`. */
export interface StoredState {
  /** By ascending id. */
  software(): Pages;
  /** By ascending id, with `owner_name` and `owner_checksum`. */
  plugins(): Pages;
  /** By plugin, then chart id bytewise; with the snapshot's `json` and `json_checksum`, or null. */
  charts(): Pages;
  /** The series of one chart of the latest page of charts, in ascending order. */
  loadSeries(uid: number): Promise<readonly Chunk[]>;
  /** Every chunk by chart uid, then time; with the chart's `plugin_id`, `chart_id` and `type`. */
  chunks(): Pages;
  /** Every chart by uid: `uid`, `plugin_id`, `chart_id`, `tally`, and whether it `has_snapshot`. May be read beside `chunks`. */
  tallies(): Pages;
  /** By plugin, then chart id. */
  removals(): Pages;
}

const maxBatchRecords = 64;

/** All records, a chart's data behind the chart. */
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
 * The record of a chart, and that of its data where it is no series and not empty: no interface tells a chart with empty data
 * from one that has none yet, so a mirror could not export the same bytes.
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
