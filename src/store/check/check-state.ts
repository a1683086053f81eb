/**
 * Checks everything in a store: the checksum of each row must be right, and an import must accept each
 * record.
 */
import { AppError, throwUnexpected } from '../../model/app-error.ts';
import { hasShares, storageOf } from '../../model/chart-forms.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { CheckRecord, OnProgress } from '../../model/store.ts';
import { maxWindows } from '../../model/window.ts';
import { type Chunk, isOfLine, verifyChunk } from '../../series/chunk.ts';
import {
  chartRecords,
  eventRecord,
  oldNameRecord,
  removalRecord,
  rowsOf,
  softwareRecord,
  windowRecord,
} from '../reading/stored-records.ts';
import { type ChartInState, openGlobalPluginsSql, StoredState } from '../reading/stored-state.ts';
import { pluginFieldsOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { column, integer, statement } from '../statement.ts';
import type { StoredRow } from '../table.ts';
import { type Row, tables } from '../tables.ts';
import { factFaults, type OnChart } from './check-facts.ts';

const chartCountSql = statement`select count(*) as ${column('count', integer)} from chart`;

const generationSql = statement`select ${tables.generation.pick('id')} from generation`;

/** Yields one line per fault, and continues after it. */
export async function* checkState(
  sql: Sql,
  checkRecord: CheckRecord,
  onProgress: OnProgress = () => {},
): AsyncGenerator<string> {
  const [{ count } = {}] = await sql.read(chartCountSql);
  // A pass over the chunks, and one over each of two tables of facts; the rest takes no time in comparison.
  const passes = Math.max(1, count ?? 0) * 3;
  let doneCount = 0;
  const onChart: OnChart = (chart) => onProgress(`checking ${chart}`, Math.min(1, doneCount++ / passes));
  const state = new StoredState(sql);
  for (const { id, globalPluginId } of await sql.read(openGlobalPluginsSql))
    yield `software ${id}: its global plugin ${globalPluginId} does not exist`;
  if ((await sql.read(generationSql)).length !== 1)
    yield 'the table generation must have one row: readers see no changes; the next import restores it';
  yield* tableFaults(state.pages(tables.software), softwareRecord, checkRecord);
  for await (const { plugin, owner } of rowsOf(state.plugins())) {
    yield* rowFaults(plugin, () => {
      checkRecord({ place: '', kind: 'plugin', plugin: pluginFieldsOf(plugin.asStored(), owner.asStored()) });
    });
    yield* rowFaults(owner);
  }
  yield* tableFaults(state.pages(tables.oldName), oldNameRecord, checkRecord);
  for await (const stored of rowsOf(state.charts())) yield* chartFaults(stored, checkRecord);
  yield* tableFaults(state.pages(tables.event), eventRecord, checkRecord);
  yield* tableFaults(state.pages(tables.removal), removalRecord, checkRecord);
  yield* windowFaults(state, checkRecord);
  for await (const row of state.others()) yield* rowFaults(row);
  yield* chunkFaults(state, onChart);
  yield* factFaults(sql, onChart);
}

/** Checks the rows of a table, and the records that an export makes of them. */
async function* tableFaults<R>(
  pages: AsyncIterable<ReadonlyArray<StoredRow<R>>>,
  recordOf: (row: R, place: string) => MetricsRecord,
  checkRecord: CheckRecord,
): AsyncGenerator<string> {
  for await (const row of rowsOf(pages))
    yield* rowFaults(row, () => checkRecord(recordOf(row.asStored(), '')));
}

/**
 * Checks the windows of removed points, which arrive chart by chart in ascending order: a chart must not have
 * windows that touch, nor too many.
 */
async function* windowFaults(state: StoredState, checkRecord: CheckRecord): AsyncGenerator<string> {
  let before: Row<'removedWindow'> | undefined;
  let count = 0;
  for await (const removedWindow of rowsOf(state.pages(tables.removedWindow)))
    yield* rowFaults(removedWindow, () => {
      const row = removedWindow.asStored();
      const isSameChart = row.pluginId === before?.pluginId && row.chartId === before.chartId;
      count = isSameChart ? count + 1 : 1;
      const isTouched = isSameChart && before !== undefined && row.fromTime <= before.toTime;
      before = row;
      checkRecord(windowRecord(row, ''));
      if (isTouched)
        throw new AppError('unavailable', `its window from ${row.fromTime} on touches the one before`);
      if (count === maxWindows + 1)
        throw new AppError('unavailable', `it has more than ${maxWindows} windows`);
    });
}

/** A chunk, and the name and the type of its chart. */
interface StoredChunk {
  readonly series: string;
  readonly type: string;
  readonly chunk: Chunk;
}

/**
 * Checks the chunks, which arrive chart by chart in ascending order: each must end before the next begins.
 */
async function* chunkFaults(state: StoredState, onChart: OnChart): AsyncGenerator<string> {
  let before: StoredChunk | undefined;
  for await (const row of rowsOf(state.chunks())) {
    const series = `plugin ${row.pluginId}, chart ${row.chartId}`;
    let stored: StoredChunk | undefined;
    yield* faultsOf(series, () => {
      stored = { series, type: String(row.type), chunk: row.chunk.asStored() };
    });
    if (stored === undefined) continue;
    if (before?.series !== series) onChart(`${row.pluginId}/${row.chartId}`);
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
  const mayHave = isLine ? storageOf(type) === 'points' : hasShares(type);
  return mayHave ? undefined : `a ${type} has ${isLine ? 'points' : 'a history'}`;
}

function* chartFaults({ chart, snapshot }: ChartInState, checkRecord: CheckRecord): Generator<string> {
  let data: MetricsRecord | undefined;
  yield* rowFaults(chart, () => {
    const [record, shown] = chartRecords(chart.asStored(), snapshot?.asStored(), '');
    data = shown;
    if (record !== undefined) checkRecord(record);
  });
  if (snapshot !== null)
    yield* rowFaults(snapshot, () => {
      if (data !== undefined) checkRecord(data);
    });
}

/** Checks the columns of a stored row, then its checksum, and yields the first fault. */
function rowFaults(stored: StoredRow<unknown>, check = () => {}): Generator<string> {
  return faultsOf(stored.called, () => {
    check();
    if (!stored.isIntact) throw new AppError('unavailable', 'its checksum is wrong');
  });
}

function* faultsOf(name: string, check: () => void): Generator<string> {
  try {
    check();
  } catch (error) {
    throwUnexpected(error);
    yield `${name}: ${error.message}`;
  }
}
