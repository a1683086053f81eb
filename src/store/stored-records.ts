/** Reads a whole store as records, in an order that is the same for every store: an export of the same data has the same bytes. */

import type { ChartData } from '../model/chart-data.ts';
import { shapeOf, storageOf } from '../model/data-shapes.ts';
import { recordLimits, regroupHistory } from '../model/merge-histories.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import { regroupPoints } from '../model/points.ts';
import { type Chunk, decodeChunk, pointsOfLine } from '../series/chunk.ts';
import {
  chartOf,
  eventOf,
  integer,
  oldNameOf,
  pluginFieldsOf,
  type Row,
  removalOf,
  snapshotOf,
  softwareFieldsOf,
  text,
} from './rows.ts';
import type { Pages, Sql } from './sql.ts';
import { StoredState } from './stored-state.ts';

const maxBatchRecords = 64;

/**
 * Yields all records; old names follow the plugins, the data of a chart follows the chart, then its history, the events of a plugin follow
 * its charts, and removals come last: a later record of what was removed would end them.
 */
export async function* storedRecords(sql: Sql): AsyncGenerator<readonly MetricsRecord[]> {
  const state = new StoredState(sql);
  const place = sql.storeName;
  const hasPast = await state.hasPast();
  yield [{ place, kind: 'archive', hasPast }];
  for await (const page of state.software())
    yield page.map((row) => ({ place, kind: 'software', software: softwareFieldsOf(row) }));
  for await (const page of state.plugins())
    yield page.map((row) => ({ place, kind: 'plugin', plugin: pluginFieldsOf(row) }));
  if (hasPast) for await (const page of state.oldNames()) yield page.map((row) => oldNameRecord(row, place));
  const events = new EventRows(state.events(), place);
  let batch: MetricsRecord[] = [];
  for await (const record of chartAndEventRecords(state, { place, hasPast, events })) {
    batch.push(record);
    if (batch.length < maxBatchRecords) continue;
    yield batch;
    batch = [];
  }
  yield batch;
  if (hasPast) for await (const page of state.removals()) yield page.map((row) => removalRecord(row, place));
  yield [{ place, kind: 'end' }];
}

async function* chartAndEventRecords(
  state: StoredState,
  {
    place,
    hasPast,
    events,
  }: { readonly place: string; readonly hasPast: boolean; readonly events: EventRows },
): AsyncGenerator<MetricsRecord> {
  for await (const page of state.charts()) {
    for (const row of page) {
      yield* events.before(integer(row['plugin_id']));
      const uid = integer(row['uid']);
      if (storageOf(text(row['type'])) === 'series') {
        yield* chartRecords(row, place);
        const chunks = await state.loadSeries(uid);
        const points = chunks.values().map((chunk) => pointsOfLine(decodeChunk(chunk)));
        for await (const run of regroupPoints(points))
          yield dataRecord(row, place, { storage: 'series', points: run });
      } else if (hasPast) yield* shareRecords(row, place, await state.loadSeries(uid));
      else yield* chartRecords(row, place);
    }
  }
  yield* events.before(Number.POSITIVE_INFINITY);
}

/** Makes the records of a chart with its data and its history. */
function* shareRecords(row: Row, place: string, chunks: readonly Chunk[]): Generator<MetricsRecord> {
  yield* chartRecords(row, place);
  const [pluginId, chartId] = [integer(row['plugin_id']), text(row['chart_id'])];
  for (const history of regroupHistory(chunks.values().map(decodeChunk), recordLimits))
    yield { place, kind: 'history', pluginId, chartId, historyFor: () => history };
}

/** The events of a store, in the order of their plugins. */
class EventRows {
  readonly #rows: AsyncIterator<Row>;
  readonly #place: string;
  #next: IteratorResult<Row> | undefined;

  constructor(pages: Pages, place: string) {
    this.#rows = rowsOf(pages);
    this.#place = place;
  }

  /** Yields the remaining events of plugins with smaller ids. */
  async *before(pluginId: number): AsyncGenerator<MetricsRecord> {
    this.#next ??= await this.#rows.next();
    while (this.#next.done !== true && integer(this.#next.value['plugin_id']) < pluginId) {
      yield eventRecord(this.#next.value, this.#place);
      this.#next = await this.#rows.next();
    }
  }
}

/** Yields the rows of pages one by one. */
export async function* rowsOf(pages: Pages): AsyncGenerator<Row> {
  for await (const page of pages) yield* page;
}

/** Makes the record of a name that a plugin had. */
export function oldNameRecord(row: Row, place: string): MetricsRecord {
  return { place, kind: 'oldName', oldName: oldNameOf(row) };
}

/** Makes the record of a removal. */
export function removalRecord(row: Row, place: string): MetricsRecord {
  return { place, kind: 'removal', removal: removalOf(row) };
}

/** Makes the record of an event. */
export function eventRecord(row: Row, place: string): MetricsRecord {
  return { place, kind: 'event', pluginId: integer(row['plugin_id']), event: eventOf(row) };
}

/**
 * Makes the record of a chart and, unless the chart is a line or its data is empty, of its data. In the interface, empty data
 * looks like no data, so a mirror could not export the same bytes if it were a record; with a time it says that nobody reported.
 */
export function chartRecords(row: Row, place: string): MetricsRecord[] {
  const chart = chartOf(row);
  const records: MetricsRecord[] = [{ place, kind: 'chart', pluginId: integer(row['plugin_id']), chart }];
  const { storage, emptyData } = shapeOf(chart.type);
  const snapshot = storage === 'snapshot' ? snapshotOf(row) : undefined;
  if (snapshot === undefined) return records;
  const { json, at } = snapshot;
  if (json !== emptyData || at !== null)
    records.push({
      ...dataRecord(row, place, { storage: 'snapshot', json }),
      ...(at === null ? {} : { at }),
    });
  return records;
}

function dataRecord(row: Row, place: string, data: ChartData): MetricsRecord & { readonly kind: 'data' } {
  const [pluginId, chartId] = [integer(row['plugin_id']), text(row['chart_id'])];
  return { place, kind: 'data', pluginId, chartId, dataFor: () => data };
}
