/** Checks everything in a store: each row must have its checksum, and an import must accept each record. */
import { AppError, throwUnexpected } from '../../model/app-error.ts';
import { storageOf } from '../../model/data-shapes.ts';
import { hasShares } from '../../model/data-shares.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { CheckRecord, OnProgress } from '../../model/store.ts';
import { type Chunk, isOfLine, verifyChunk } from '../../series/chunk.ts';
import { openGlobalPluginsSql } from '../import-tables.ts';
import { nameOfRow } from '../intact-row.ts';
import { chunkOf, pluginFieldsOf, type Row, softwareFieldsOf } from '../rows.ts';
import { asStored, type Sql } from '../sql.ts';
import { chartRecords, eventRecord, oldNameRecord, removalRecord, rowsOf } from '../stored-records.ts';
import { StoredState } from '../stored-state.ts';
import { type CheckedTable, isIntactRow, rowChecksum, storedColumns } from '../tables.ts';
import { factFaults, type OnChart } from './check-facts.ts';

/** Yields one line per fault and continues after it. */
export async function* checkState(
  sql: Sql,
  checkRecord: CheckRecord,
  onProgress: OnProgress = () => {},
): AsyncGenerator<string> {
  const [{ count } = {}] = await sql.all('select count(*) as count from chart');
  // The chunks, and two tables of facts of charts; all else takes no time beside them.
  const passes = Math.max(1, Number(count)) * 3;
  let doneCount = 0;
  const onChart: OnChart = (chart) => onProgress(`checking ${chart}`, Math.min(1, doneCount++ / passes));
  const state = new StoredState(asStored(sql));
  for (const row of await sql.all(openGlobalPluginsSql.text))
    yield `software ${row['id']}: its global plugin ${row['global_plugin_id']} does not exist`;
  if ((await sql.all('select id from generation')).length !== 1)
    yield 'the table generation has not one row: readers see no change; the next import puts it back';
  const place = '';
  for await (const page of state.software()) {
    for (const row of page) {
      const software = () => softwareFieldsOf(mended('software', row));
      const record = () => checkRecord({ place, kind: 'software', software: software() });
      yield* rowFaults('software', row, [record]);
    }
  }
  for await (const page of state.plugins()) {
    for (const row of page) {
      const plugin = () => pluginFieldsOf(mended('owner', mended('plugin', row), 'owner_'));
      const record = () => checkRecord({ place, kind: 'plugin', plugin: plugin() });
      yield* rowFaults('plugin', row, [record]);
      yield* rowFaults('owner', row, [], 'owner_');
    }
  }
  for await (const row of rowsOf(state.oldNames())) {
    const record = () => checkRecord(oldNameRecord(mended('old_name', row), place));
    yield* rowFaults('old_name', row, [record]);
  }
  for await (const page of state.charts()) for (const row of page) yield* chartFaults(row, checkRecord);
  for await (const row of rowsOf(state.events())) {
    const record = () => checkRecord(eventRecord(mended('event', row), place));
    yield* rowFaults('event', row, [record]);
  }
  for await (const row of rowsOf(state.removals())) {
    const record = () => checkRecord(removalRecord(mended('removal', row), place));
    yield* rowFaults('removal', row, [record]);
  }
  yield* chunkFaults(state, onChart);
  yield* factFaults(sql, onChart);
}

/** A chunk, the name of its chart in messages, and the type of that. */
interface StoredChunk {
  readonly series: string;
  readonly type: string;
  readonly chunk: Chunk;
}

/** Checks the chunks, which come chart by chart in ascending order: each ends before the next begins. */
async function* chunkFaults(state: StoredState, onChart: OnChart): AsyncGenerator<string> {
  let before: StoredChunk | undefined;
  for await (const row of rowsOf(state.chunks())) {
    let stored: StoredChunk | undefined;
    const take = () => {
      stored = { series: nameOfRow('chart', row), type: String(row['type']), chunk: chunkOf(row) };
    };
    yield* faultsOf(nameOfRow('chart', row), [take]);
    if (stored === undefined) continue;
    if (before?.series !== stored.series) onChart(`${row['plugin_id']}/${row['chart_id']}`);
    yield* faultsBefore(before, stored);
    before = stored;
  }
  yield* faultsBefore(before, undefined);
}

function faultsBefore(stored: StoredChunk | undefined, next: StoredChunk | undefined): readonly string[] {
  if (stored === undefined) return [];
  const follower = next?.series === stored.series ? next.chunk : undefined;
  const fault = verifyChunk(stored.chunk, follower?.firstTimestamp) ?? typeFault(stored);
  return fault === undefined ? [] : [`${stored.series}: ${fault}`];
}

function typeFault({ chunk, type }: StoredChunk): string | undefined {
  const isLine = isOfLine(chunk);
  const mayHave = isLine ? storageOf(type) === 'series' : hasShares(type);
  return mayHave ? undefined : `a ${type} has ${isLine ? 'points' : 'a history'}`;
}

function* chartFaults(row: Row, checkRecord: CheckRecord): Generator<string> {
  let data: MetricsRecord | undefined;
  const chart = () => {
    const [record, snapshot] = chartRecords(mended('snapshot', mended('chart', row), 'snapshot_'), '');
    data = snapshot;
    if (record !== undefined) checkRecord(record);
  };
  yield* rowFaults('chart', row, [chart]);
  if (row['snapshot_chart_uid'] === null) return;
  const check = () => {
    if (data !== undefined) checkRecord(data);
  };
  yield* rowFaults('snapshot', row, [check], 'snapshot_');
}

/** Runs checks of a row, then that of its checksum. */
function rowFaults(
  table: CheckedTable,
  row: Row,
  checks: ReadonlyArray<() => void>,
  prefix = '',
): Generator<string> {
  const checksum = () => {
    if (!isIntactRow(table, row, prefix)) throw new AppError('unavailable', 'its checksum is wrong');
  };
  return faultsOf(nameOfRow(table, row, prefix), [...checks, checksum]);
}

/** Gives a row the checksum of its columns, so that the fault of a column is named rather than its checksum. */
function mended(table: CheckedTable, row: Row, prefix = ''): Row {
  const columns = storedColumns(table, row, prefix).slice(0, -1);
  return { ...row, [`${prefix}checksum`]: rowChecksum(table, columns) };
}

/** Runs checks up to the first that fails, and yields its fault after the name of the row. */
function* faultsOf(name: string, checks: ReadonlyArray<() => void>): Generator<string> {
  try {
    for (const check of checks) check();
  } catch (error) {
    throwUnexpected(error);
    yield `${name}: ${error.message}`;
  }
}
