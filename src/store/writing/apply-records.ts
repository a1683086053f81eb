/**
 * The rules of an import, as a pure function. From records and the stored rows that they refer to, it
 * computes the rows to write, or the error of the first record that breaks a rule.
 */
import { AppError, quote, unknownChart, unknownPlugin } from '../../model/app-error.ts';
import type { Chart, ChartName, OldName } from '../../model/catalogue.ts';
import { hasShares, historyOf, storageOf, withoutShares } from '../../model/chart-forms.ts';
import { type Columns, orderColumns } from '../../model/columns.ts';
import { refuseFuture } from '../../model/future-points.ts';
import type { MetricsRecord, PluginFields, SoftwareFields } from '../../model/metrics-record.ts';
import type { Removal } from '../../model/metrics-remover.ts';
import type { WriteOptions } from '../../model/metrics-writer.ts';
import { addWindow, cutOut, type Windows } from '../../model/window.ts';
import type { MergedChart } from '../facts/merged-chart.ts';
import { type ChartWindows, isOfWindow, refuseTooMany, windowOf } from '../removals.ts';
import { chartKey, chartRow, oldNameRow, ownerRow, pluginRow, removalRow } from '../rows.ts';
import type { StoredRow } from '../table.ts';
import { everyChart, everyPlugin, type Row, tables } from '../tables.ts';
import type { Changes, Known, KnownChart } from './changes.ts';

type ImportOptions = WriteOptions & { readonly latestTimestamp: number };

/**
 * Applies records in order. It does not check whether global plugins exist, because they may come later in
 * the source.
 * @throws AppError with the place of the record: `conflict` for a value that must not change or is taken,
 * `invalid` for an unknown reference, for data of the wrong shape, and for points later than
 * `latestTimestamp`.
 */
export function applyRecords(
  known: Known,
  records: readonly MetricsRecord[],
  options: ImportOptions,
): Changes {
  const state = new ImportState(known, options);
  for (const record of records) {
    try {
      state.apply(record);
    } catch (error) {
      throw error instanceof AppError && error.code !== 'unavailable' ? error.at(record.place) : error;
    }
  }
  return state.changes();
}

/** The state of a store after the records so far. */
class ImportState {
  readonly #software: KnownRows<Row<'software'>, number>;
  readonly #softwareByUrl: Map<string, number>;
  readonly #owners: KnownRows<Row<'owner'>, number>;
  readonly #plugins: KnownRows<Row<'plugin'>, number>;
  readonly #oldNames: KnownRows<Row<'oldName'>, string>;
  readonly #charts = new Map<string, KnownChart>();
  readonly #chartsByUid = new Map<number, KnownChart>();
  readonly #changedSoftware: Row<'software'>[] = [];
  readonly #changedCharts = new Map<number, Row<'chart'>>();
  readonly #shownRows = new Map<number, Row<'snapshot'>>();
  readonly #merged = new Map<number, MergedChart & { readonly parts: Columns[] }>();
  readonly #events = new Map<string, Row<'event'>>();
  readonly #removals: KnownRows<Row<'removal'>, string>;
  readonly #endedRemovals = new Map<string, ChartName>();
  readonly #windowRows: ReadonlyMap<string, ReadonlyArray<StoredRow<Row<'removedWindow'>>>>;
  readonly #windows = new Map<string, ChartWindows>();
  readonly #latestTimestamp: number;
  readonly #keepsPruned: boolean;

  constructor(known: Known, { latestTimestamp, keepsPruned = false }: ImportOptions) {
    this.#latestTimestamp = latestTimestamp;
    this.#keepsPruned = keepsPruned;
    this.#software = new KnownRows(tables.software, known.software, idOf);
    this.#softwareByUrl = new Map(Array.from(this.#software, ([id, row]) => [row.asStored().url, id]));
    this.#owners = new KnownRows(tables.owner, known.owners, idOf);
    this.#plugins = new KnownRows(tables.plugin, known.plugins, idOf);
    this.#oldNames = new KnownRows(tables.oldName, known.oldNames, oldNameKey);
    for (const chart of known.charts) this.#setChart(chart);
    this.#removals = new KnownRows(tables.removal, known.removals, chartKey);
    this.#windowRows = Map.groupBy(known.windows, (row) => chartKey(row.asStored()));
  }

  apply(record: MetricsRecord): void {
    switch (record.kind) {
      case 'software':
        this.#applySoftware(record.software);
        break;
      case 'plugin':
        this.#applyPlugin(record.plugin);
        break;
      case 'oldName':
        this.#applyOldName(record.oldName);
        break;
      case 'chart':
        this.#applyChart(record.pluginId, record.chart);
        break;
      case 'data':
        this.#applyData(record);
        break;
      case 'history':
        this.#applyHistory(record);
        break;
      case 'event':
        this.#refuseWithoutPlugin(record.pluginId);
        refuseFuture(record.event.time, this.#latestTimestamp, 'an event');
        this.#events.set(`${record.pluginId} ${record.event.time} ${record.event.title}`, {
          pluginId: record.pluginId,
          ...record.event,
        });
        break;
      case 'removal':
        this.#applyRemoval(record.removal);
        break;
      case 'archive':
      case 'end':
        break;
      default:
        record satisfies never;
    }
  }

  changes(): Changes {
    return {
      software: this.#changedSoftware,
      owners: this.#owners.changed,
      plugins: this.#plugins.changed,
      oldNames: [...this.#oldNames.changed.values()],
      charts: this.#changedCharts,
      shownRows: this.#shownRows,
      merged: this.#merged,
      events: [...this.#events.values()],
      removals: [...this.#removals.changed.values()],
      endedRemovals: [...this.#endedRemovals.values()],
      windows: [...this.#windows.values()],
    };
  }

  #applySoftware(software: SoftwareFields): void {
    const holder = this.#softwareByUrl.get(software.url);
    if (holder !== undefined && holder !== software.id) {
      this.#software.get(holder)?.intact();
      throw new AppError('conflict', `the url ${quote(software.url)} belongs to software ${holder} already`);
    }
    const before = this.#software.get(software.id);
    if (tables.software.isSame(before, software)) return;
    if (before !== undefined) this.#softwareByUrl.delete(before.asStored().url);
    this.#softwareByUrl.set(software.url, software.id);
    this.#software.set(software.id, tables.software.storing(software));
    this.#changedSoftware.push(software);
  }

  #applyPlugin(plugin: PluginFields): void {
    if (!this.#software.has(plugin.softwareId))
      throw new AppError('invalid', `there is no software with the id ${plugin.softwareId}`);
    this.#owners.change(plugin.owner.id, ownerRow(plugin.owner));
    this.#plugins.change(plugin.id, pluginRow(plugin));
    this.#endRemoval({ pluginId: plugin.id, chartId: everyChart });
  }

  #applyOldName(oldName: OldName): void {
    this.#refuseWithoutPlugin(oldName.pluginId);
    this.#oldNames.change(oldNameKey(oldName), oldNameRow(oldName));
  }

  #applyChart(pluginId: number, chart: Chart): void {
    const { chartId, uid, type } = chart;
    const stored = this.#charts.get(chartKey({ pluginId, chartId }));
    const holder = this.#chartsByUid.get(uid);
    // A chart with the same id, uid and type replaces its row, even if the row is damaged.
    for (const one of [stored, holder])
      if (one !== undefined && !(one === stored && one.uid === uid && one.type === type)) one.row?.intact();
    if (stored !== undefined) {
      const name = quote(chartId);
      if (stored.uid !== uid)
        throw new AppError(
          'conflict',
          `the uid of a chart cannot change: ${name} has the uid ${stored.uid}, got ${uid}`,
        );
      if (stored.type !== type && stored.hasData)
        throw new AppError(
          'conflict',
          `the type of a chart that has data cannot change: ${name} is a ${stored.type}, got ${type}`,
        );
    } else {
      this.#refuseWithoutPlugin(pluginId);
      if (holder !== undefined) {
        const name = `chart ${quote(holder.chartId)} of plugin ${holder.pluginId}`;
        throw new AppError('conflict', `the uid ${uid} belongs to ${name} already`);
      }
    }
    this.#endRemoval({ pluginId, chartId });
    const row = chartRow(pluginId, chart);
    if (tables.chart.isSame(stored?.row, row)) return;
    const { hasData = false, shownAt = null } = stored ?? {};
    this.#setChart({ pluginId, chartId, uid, type, hasData, shownAt, row: tables.chart.storing(row) });
    this.#changedCharts.set(uid, row);
  }

  #applyData(record: MetricsRecord & { readonly kind: 'data' }): void {
    const { damage, ...chart } = this.#getChart(record);
    const { at } = record;
    if (at !== undefined && !hasShares(chart.type)) throw withoutShares(chart.type);
    const data = record.dataFor(chart.type);
    let { shownAt = null } = chart;
    if (data.storage === 'latest') {
      if (at !== undefined) this.#merge(chart, historyOf(chart.type, { json: data.json, at }));
      if (damage !== undefined && at !== undefined && at < (shownAt ?? at)) throw damage;
      if (at === undefined || shownAt === null || at >= shownAt) {
        shownAt = at ?? null;
        this.#shownRows.set(chart.uid, { chartUid: chart.uid, json: data.json, at: shownAt });
        if (damage !== undefined) this.#setChart(chart);
      }
    } else {
      if (data.points.times.length === 0) return;
      this.#merge(chart, orderColumns(data.points), 'a point');
    }
    this.#noteData(chart, shownAt);
  }

  #applyHistory(record: MetricsRecord & { readonly kind: 'history' }): void {
    const chart = this.#getChart(record);
    const history = record.historyFor(chart.type);
    if (history.times.length === 0) return;
    this.#merge(chart, history);
    this.#noteData(chart, chart.shownAt ?? null);
  }

  #applyRemoval(removal: Removal): void {
    if (isOfWindow(removal)) {
      const { before: to, after: from } = removal;
      // A window replaces a stored window with the same start, even if its row is damaged.
      const windows = this.#windowsOf(removal, (row) => row.isIntact || row.asStored().fromTime !== from);
      this.#setWindows(removal, addWindow(windows, { from, to }));
      return;
    }
    const { pluginId = everyPlugin, chartId = everyChart } = removal;
    const key = chartKey({ pluginId, chartId });
    // Null wins over every stored value, so the stored row need not be read.
    const stored = removal.before === null ? undefined : this.#removals.get(key)?.intact();
    this.#removals.change(key, removalRow(removal, stored));
    this.#endedRemovals.delete(key);
  }

  /** Ends the removal of a plugin or a chart that an import brings back. */
  #endRemoval(name: ChartName): void {
    const key = chartKey(name);
    if (this.#keepsPruned && (this.#removals.get(key)?.intact().beforeTimestamp ?? null) !== null) return;
    if (!this.#removals.delete(key)) return;
    this.#removals.changed.delete(key);
    this.#endedRemovals.set(key, name);
  }

  #windowsOf(
    name: ChartName,
    isWanted: (row: StoredRow<Row<'removedWindow'>>) => boolean = () => true,
  ): Windows {
    const key = chartKey(name);
    const rows = this.#windowRows.get(key)?.filter(isWanted) ?? [];
    return this.#windows.get(key)?.windows ?? rows.map((row) => windowOf(row.intact()));
  }

  #setWindows({ pluginId, chartId }: ChartName, windows: Windows): void {
    const chart = { pluginId, chartId, windows };
    refuseTooMany(chart);
    this.#windows.set(chartKey(chart), chart);
  }

  #merge({ uid, pluginId, chartId, type }: KnownChart, part: Columns, what = 'a history'): void {
    refuseFuture(part.times.at(-1) ?? 0, this.#latestTimestamp, what);
    const merged = this.#merged.get(uid);
    const isLine = storageOf(type) === 'points';
    if (merged === undefined) this.#merged.set(uid, { pluginId, chartId, isLine, parts: [part] });
    else merged.parts.push(part);
    if (this.#keepsPruned) return;
    const windows = this.#windowsOf({ pluginId, chartId });
    const left = cutOut(windows, part.times);
    if (left !== windows) this.#setWindows({ pluginId, chartId }, left);
  }

  #getChart(name: ChartName): KnownChart {
    const chart = this.#charts.get(chartKey(name));
    if (chart !== undefined) return chart;
    this.#refuseWithoutPlugin(name.pluginId);
    throw new AppError('invalid', unknownChart(name.pluginId, name.chartId).message);
  }

  #refuseWithoutPlugin(pluginId: number): void {
    if (!this.#plugins.has(pluginId)) throw new AppError('invalid', unknownPlugin(pluginId).message);
  }

  /** Notes that a chart has data, so that later records may not change its type. */
  #noteData(chart: KnownChart, shownAt: number | null): void {
    if ((!chart.hasData && chart.row !== undefined) || shownAt !== (chart.shownAt ?? null))
      this.#setChart({ ...chart, hasData: true, shownAt });
  }

  #setChart(chart: KnownChart): void {
    this.#charts.set(chartKey(chart), chart);
    this.#chartsByUid.set(chart.uid, chart);
  }
}

/** The part of a table that compares its rows and makes stored ones. */
interface ComparedTable<R> {
  readonly isSame: (stored: StoredRow<R> | undefined, row: R) => boolean;
  readonly storing: (row: R) => StoredRow<R>;
}

/** Rows of a table by a key, as they are after the records so far, and those that the records change. */
class KnownRows<R, Key> extends Map<Key, StoredRow<R>> {
  readonly changed = new Map<Key, R>();
  readonly #table: ComparedTable<R>;

  constructor(table: ComparedTable<R>, rows: ReadonlyArray<StoredRow<R>>, keyOf: (row: R) => Key) {
    super(rows.map((row) => [keyOf(row.asStored()), row]));
    this.#table = table;
  }

  /** Changes a row, unless it is equal already. */
  change(key: Key, row: R): void {
    if (this.#table.isSame(this.get(key), row)) return;
    this.set(key, this.#table.storing(row));
    this.changed.set(key, row);
  }
}

function idOf({ id }: { readonly id: number }): number {
  return id;
}

function oldNameKey({ pluginId, name }: OldName): string {
  return `${pluginId} ${name}`;
}
