/**
 * Reads a whole store as records. The order is fixed, so that exports of the same data have the same bytes.
 */

import type { ChartData } from '../../model/chart-data.ts';
import { shapeOf, storageOf } from '../../model/chart-forms.ts';
import { recordRules, regroupColumns } from '../../model/merge-columns.ts';
import { archiveVersions, type MetricsRecord } from '../../model/metrics-record.ts';
import { decodeChunk } from '../../series/chunk.ts';
import { chartOf, eventOf, oldNameOf, pluginFieldsOf, removalOf, shownOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import type { StoredRow } from '../table.ts';
import { type Row, tables } from '../tables.ts';
import { StoredState } from './stored-state.ts';

const maxBatchRecords = 64;

/**
 * Yields all records. Old names follow the plugins; the data of a chart follows the chart, then its history;
 * the events of a plugin follow its charts. Removals come last, because a later record of a removed thing
 * would end its removal.
 * @param chartsOf the plugins whose charts are wanted; all without it.
 */
export async function* storedRecords(
  sql: Sql,
  chartsOf?: ReadonlySet<number>,
): AsyncGenerator<readonly MetricsRecord[]> {
  const state = new StoredState(sql);
  const place = sql.storeName;
  const { hasPast, hasWindows } = await state.findPast();
  const { withWindows, withPast, withoutPast } = archiveVersions;
  yield [{ place, kind: 'archive', version: hasWindows ? withWindows : hasPast ? withPast : withoutPast }];
  yield* tableRecords(state.pages(tables.software), softwareRecord, place);
  for await (const page of state.plugins())
    yield page.map(({ plugin, owner }) => ({
      place,
      kind: 'plugin',
      plugin: pluginFieldsOf(plugin.intact(), owner.intact()),
    }));
  if (hasPast) yield* tableRecords(state.pages(tables.oldName), oldNameRecord, place);
  const events = eventsBefore(state.pages(tables.event), place);
  let batch: MetricsRecord[] = [];
  for await (const record of chartAndEventRecords(state, { place, hasPast, events, chartsOf })) {
    batch.push(record);
    if (batch.length < maxBatchRecords) continue;
    yield batch;
    batch = [];
  }
  yield batch;
  if (hasPast) yield* tableRecords(state.pages(tables.removal), removalRecord, place);
  if (hasWindows) yield* tableRecords(state.pages(tables.removedWindow), windowRecord, place);
  for await (const row of state.others()) row.intact();
  yield [{ place, kind: 'end' }];
}

async function* tableRecords<R>(
  pages: AsyncIterable<ReadonlyArray<StoredRow<R>>>,
  recordOf: (row: R, place: string) => MetricsRecord,
  place: string,
): AsyncGenerator<readonly MetricsRecord[]> {
  for await (const page of pages) yield page.map((row) => recordOf(row.intact(), place));
}

async function* chartAndEventRecords(
  state: StoredState,
  {
    place,
    hasPast,
    events,
    chartsOf,
  }: {
    readonly place: string;
    readonly hasPast: boolean;
    readonly events: ReturnType<typeof eventsBefore>;
    readonly chartsOf: ReadonlySet<number> | undefined;
  },
): AsyncGenerator<MetricsRecord> {
  for await (const page of state.charts()) {
    for (const stored of page) {
      const chart = stored.chart.intact();
      const { uid, pluginId, chartId } = chart;
      yield* events(pluginId);
      if (chartsOf?.has(pluginId) === false) continue;
      yield* chartRecords(chart, stored.snapshot?.intact(), place);
      const isLine = storageOf(chart.type) === 'points';
      if (!isLine && !hasPast) continue;
      const chunks = (await state.loadSeries(uid)).values().map(decodeChunk);
      for (const part of regroupColumns(chunks, recordRules[isLine ? 'line' : 'shares']))
        if (isLine) yield dataRecord(chart, place, { storage: 'points', points: part });
        else yield { place, kind: 'history', pluginId, chartId, historyFor: () => part };
    }
  }
  yield* events(Number.POSITIVE_INFINITY);
}

/**
 * Takes the events of a store in the order of their plugins.
 * @returns a function that yields the remaining events of plugins with ids below one.
 */
function eventsBefore(pages: AsyncIterable<ReadonlyArray<StoredRow<Row<'event'>>>>, place: string) {
  const rows = rowsOf(pages);
  let next: IteratorResult<StoredRow<Row<'event'>>> | undefined;
  return async function* (pluginId: number): AsyncGenerator<MetricsRecord> {
    for (next ??= await rows.next(); next.done !== true; next = await rows.next()) {
      const event = next.value.intact();
      if (event.pluginId >= pluginId) return;
      yield eventRecord(event, place);
    }
  };
}

/** Yields the rows of pages one by one. */
export async function* rowsOf<R>(pages: AsyncIterable<readonly R[]>): AsyncGenerator<R> {
  for await (const page of pages) yield* page;
}

/** Makes the record of a software. */
export function softwareRecord(software: Row<'software'>, place: string): MetricsRecord {
  return { place, kind: 'software', software };
}

/** Makes the record of an old name of a plugin. */
export function oldNameRecord(row: Row<'oldName'>, place: string): MetricsRecord {
  return { place, kind: 'oldName', oldName: oldNameOf(row) };
}

/** Makes the record of a removal. */
export function removalRecord(row: Row<'removal'>, place: string): MetricsRecord {
  return { place, kind: 'removal', removal: removalOf(row) };
}

/** Makes the record of the removal of a window. */
export function windowRecord(row: Row<'removedWindow'>, place: string): MetricsRecord {
  const { pluginId, chartId, fromTime, toTime } = row;
  return { place, kind: 'removal', removal: { pluginId, chartId, before: toTime, after: fromTime } };
}

/** Makes the record of an event. */
export function eventRecord(row: Row<'event'>, place: string): MetricsRecord {
  return { place, kind: 'event', pluginId: row.pluginId, event: eventOf(row) };
}

/**
 * Makes the record of a chart, and the record of its data unless the chart is a line or its data is empty.
 * The interface shows empty data and no data alike, so a mirror could not export the same bytes if empty data
 * had a record. Empty data with a time has one: it means that no server reported.
 */
export function chartRecords(
  chart: Row<'chart'>,
  snapshot: Row<'snapshot'> | undefined,
  place: string,
): MetricsRecord[] {
  const records: MetricsRecord[] = [
    { place, kind: 'chart', pluginId: chart.pluginId, chart: chartOf(chart) },
  ];
  const { storage, emptyData } = shapeOf(chart.type);
  if (storage !== 'latest' || snapshot === undefined) return records;
  const { json, at } = shownOf(snapshot);
  if (json !== emptyData || at !== null)
    records.push({
      ...dataRecord(chart, place, { storage: 'latest', json }),
      ...(at === null ? {} : { at }),
    });
  return records;
}

function dataRecord(
  { pluginId, chartId }: Row<'chart'>,
  place: string,
  data: ChartData,
): MetricsRecord & { readonly kind: 'data' } {
  return { place, kind: 'data', pluginId, chartId, dataFor: () => data };
}
