/** Checks everything in a store: each row must have its checksum, and an import must accept each record. */
import { AppError } from '../../model/app-error.ts';
import { storageOf } from '../../model/data-shapes.ts';
import { hasShares } from '../../model/data-shares.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { CheckRecord } from '../../model/store.ts';
import { type Chunk, isOfLine, verifyChunk } from '../../series/chunk.ts';
import { openGlobalPluginsSql } from '../import-tables.ts';
import { removalName } from '../keeping/removals.ts';
import { chunkOf, pluginFieldsOf, type Row, softwareFieldsOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { chartRecords, eventRecord, oldNameRecord, removalRecord, rowsOf } from '../stored-records.ts';
import { StoredState } from '../stored-state.ts';
import { type CheckedTable, isIntact, storedColumns } from '../tables.ts';
import { factFaults } from './check-facts.ts';

/** Yields one line per fault and continues after it. */
export async function* checkState(sql: Sql, checkRecord: CheckRecord): AsyncGenerator<string> {
  const state = new StoredState(sql);
  for (const row of await sql.all(openGlobalPluginsSql))
    yield `software ${row['id']}: its global plugin ${row['global_plugin_id']} does not exist`;
  if ((await sql.all('select id from generation')).length !== 1)
    yield 'the table generation has not one row: readers see no change; the next import puts it back';
  const place = '';
  for await (const page of state.software()) {
    for (const row of page) {
      const record = () => checkRecord({ place, kind: 'software', software: softwareFieldsOf(row) });
      yield* faultsOf(`software ${row['id']}`, [record, intact('software', row)]);
    }
  }
  for await (const page of state.plugins()) {
    for (const row of page) {
      const owner = {
        id: row['owner_id'],
        name: row['owner_name'],
        name_key: row['owner_key'],
        checksum: row['owner_checksum'],
      };
      const record = () => checkRecord({ place, kind: 'plugin', plugin: pluginFieldsOf(row) });
      yield* faultsOf(`plugin ${row['id']}`, [record, intact('plugin', row)]);
      yield* faultsOf(`plugin ${row['id']}, owner ${row['owner_id']}`, [intact('owner', owner)]);
    }
  }
  for await (const row of rowsOf(state.oldNames())) {
    const name = `plugin ${row['plugin_id']}, old name`;
    yield* faultsOf(name, [() => checkRecord(oldNameRecord(row, place)), intact('old_name', row)]);
  }
  for await (const page of state.charts()) for (const row of page) yield* chartFaults(row, checkRecord);
  for await (const row of rowsOf(state.events())) {
    const name = `plugin ${row['plugin_id']}, event ${row['time']}`;
    yield* faultsOf(name, [() => checkRecord(eventRecord(row, place)), intact('event', row)]);
  }
  for await (const row of rowsOf(state.removals())) {
    const record = () => checkRecord(removalRecord(row, place));
    yield* faultsOf(removalName(row), [record, intact('removal', row)]);
  }
  yield* chunkFaults(state);
  yield* factFaults(sql);
}

/** A chunk, the name of its chart in messages, and the type of that. */
interface StoredChunk {
  readonly series: string;
  readonly type: string;
  readonly chunk: Chunk;
}

/** Checks the chunks, which come chart by chart in ascending order: each ends before the next begins. */
async function* chunkFaults(state: StoredState): AsyncGenerator<string> {
  let before: StoredChunk | undefined;
  for await (const row of rowsOf(state.chunks())) {
    let stored: StoredChunk | undefined;
    const take = () => {
      stored = { series: seriesName(row), type: String(row['type']), chunk: chunkOf(row) };
    };
    yield* faultsOf(seriesName(row), [take]);
    if (stored === undefined) continue;
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

/** Names a chart in messages; no two charts have the same name. */
function seriesName(row: Row): string {
  return `plugin ${row['plugin_id']}, chart ${row['chart_id']}`;
}

function* chartFaults(row: Row, checkRecord: CheckRecord): Generator<string> {
  const name = seriesName(row);
  let data: MetricsRecord | undefined;
  const chart = () => {
    const [record, snapshot] = chartRecords(row, '');
    data = snapshot;
    if (record !== undefined) checkRecord(record);
  };
  yield* faultsOf(name, [chart, intact('chart', row)]);
  if (row['json'] === null) return;
  const snapshot = {
    chart_uid: row['uid'],
    json: row['json'],
    at: row['at'] ?? null,
    checksum: row['json_checksum'],
  };
  const dataName = `plugin ${row['plugin_id']}, data of chart ${row['chart_id']}`;
  const check = () => {
    if (data !== undefined) checkRecord(data);
  };
  yield* faultsOf(dataName, [check, intact('snapshot', snapshot)]);
}

/** Runs checks up to the first that fails, and yields its fault after the name of the row. */
function* faultsOf(name: string, checks: ReadonlyArray<() => void>): Generator<string> {
  try {
    for (const check of checks) check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield `${name}: ${error.message}`;
  }
}

function intact(table: CheckedTable, row: Row): () => void {
  return () => {
    if (!isIntact(table, storedColumns(table, row)))
      throw new AppError('unavailable', 'its checksum is wrong');
  };
}
