/**
 * Imports a batch of records: loads the rows to which they refer, applies the rules, and writes the changes.
 */

import { type AppError, placed } from '../../model/app-error.ts';
import type { ChartName } from '../../model/chart.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { WriteOptions } from '../../model/metrics-writer.ts';
import { isOfWindow } from '../removed-windows.ts';
import { chartKey } from '../rows.ts';
import type { StoredRow } from '../table.ts';
import { everyChart, everyPlugin } from '../tables.ts';
import { applyRecords } from './apply-records.ts';
import { changesCatalogue, type Known, type KnownChart } from './changes.ts';
import { missingGlobalPlugin } from './import-errors.ts';
import type { ImportTables } from './import-tables.ts';

/**
 * Imports records.
 * @returns true if they changed the catalogue.
 * @throws AppError like {@link applyRecords}, and like {@link checkGlobalPlugins} at the end of the source.
 */
export async function importBatch(
  tables: ImportTables,
  records: readonly MetricsRecord[],
  { latestTimestamp = latestTimestampAt(Date.now()), ...options }: WriteOptions,
): Promise<boolean> {
  const changes = applyRecords(await loadKnown(tables, records), records, {
    ...options,
    latestTimestamp,
  });
  await tables.write(changes);
  const end = records.find((record) => record.kind === 'end');
  if (end !== undefined) {
    try {
      await checkGlobalPlugins(tables);
    } catch (error) {
      throw placed(error, end.place);
    }
  }
  return changesCatalogue(changes);
}

/** Checks that all global plugins exist. @throws AppError `invalid`. */
export async function checkGlobalPlugins(tables: ImportTables): Promise<void> {
  const open = await tables.findOpenGlobalPlugin();
  if (open !== undefined) throw missingGlobalPlugin(open.id, Number(open.globalPluginId));
}

async function loadKnown(tables: ImportTables, records: readonly MetricsRecord[]): Promise<Known> {
  const wanted = { software: new Set<number>(), urls: new Set<string>(), owners: new Set<number>() };
  const plugins = new Set<number>();
  const renamed = new Set<number>();
  const uids = new Set<number>();
  const charts = new Map<string, ChartName>();
  const series = new Map<string, ChartName>();
  // Charts whose windows must be loaded.
  const windowed = new Map<string, ChartName>();
  const removals: ChartName[] = [];
  for (const record of records) {
    if (record.kind === 'software') {
      wanted.software.add(record.software.id);
      wanted.urls.add(record.software.url);
    } else if (record.kind === 'plugin') {
      plugins.add(record.plugin.id);
      wanted.software.add(record.plugin.softwareId);
      wanted.owners.add(record.plugin.owner.id);
      removals.push({ pluginId: record.plugin.id, chartId: everyChart });
    } else if (record.kind === 'oldName') {
      plugins.add(record.oldName.pluginId);
      renamed.add(record.oldName.pluginId);
    } else if (record.kind === 'chart') {
      const name = { pluginId: record.pluginId, chartId: record.chart.chartId };
      charts.set(chartKey(name.pluginId, name.chartId), name);
      removals.push(name);
      uids.add(record.chart.uid);
      plugins.add(record.pluginId);
    } else if (record.kind === 'data' || record.kind === 'history')
      series.set(chartKey(record.pluginId, record.chartId), record);
    else if (record.kind === 'event') plugins.add(record.pluginId);
    else if (record.kind === 'removal') {
      const { pluginId = everyPlugin, chartId = everyChart } = record.removal;
      removals.push({ pluginId, chartId });
      if (isOfWindow(record.removal)) windowed.set(chartKey(pluginId, chartId), { pluginId, chartId });
    }
  }
  for (const [key, name] of series) windowed.set(key, name);
  for (const key of charts.keys()) series.delete(key);
  const known: KnownChart[] = [];
  if (charts.size > 0)
    for (const { chart, hasData } of await tables.findCharts(charts.values(), uids))
      known.push({ ...chart.asStored(), hasData, row: chart });
  if (series.size > 0)
    for (const chart of await tables.findChartsOfData([...series.values()]))
      known.push({ ...chart, hasData: false });
  const isDated = records.some((record) => record.kind === 'data' && record.at !== undefined);
  const shown = isDated ? await findShownTimes(tables, known) : undefined;
  // The plugin of a data record is needed only if the chart is missing, to say in the error which of the two
  // is missing.
  const found = new Set(known.map((chart) => chartKey(chart.pluginId, chart.chartId)));
  for (const [key, { pluginId }] of series) if (!found.has(key)) plugins.add(pluginId);
  return {
    software: byId(
      (wanted.software.size === 0 ? [] : await tables.findSoftware(wanted.software, wanted.urls)).map(
        ({ software }) => software,
      ),
    ),
    owners: byId(
      (wanted.owners.size === 0 ? [] : await tables.findOwners(wanted.owners)).map(({ owner }) => owner),
    ),
    plugins: byId((plugins.size === 0 ? [] : await tables.findPlugins(plugins)).map(({ plugin }) => plugin)),
    oldNames: (renamed.size === 0 ? [] : await tables.findOldNames(renamed)).map(({ oldName }) => oldName),
    windows: (windowed.size === 0 ? [] : await tables.findWindows(windowed.values())).map(
      ({ removedWindow }) => removedWindow,
    ),
    removals: (removals.length === 0 ? [] : await tables.findRemovals(removals)).map(
      ({ removal }) => removal,
    ),
    charts: shown === undefined ? known : known.map((chart) => ({ ...chart, ...shown.get(chart.uid) })),
  };
}

/**
 * Finds the times of the data that charts show. If the row of the data is damaged, the last time of the
 * history is used instead.
 */
async function findShownTimes(
  tables: ImportTables,
  charts: readonly KnownChart[],
): Promise<ReadonlyMap<number, Pick<KnownChart, 'shownAt' | 'damage'>>> {
  const found = new Map<number, Pick<KnownChart, 'shownAt' | 'damage'>>();
  const damaged = new Map<number, AppError>();
  const uids = charts.map(({ uid }) => uid);
  for (const { uid, snapshot } of charts.length === 0 ? [] : await tables.findShown(uids)) {
    if (snapshot.isIntact) found.set(uid, { shownAt: snapshot.intact().at });
    else damaged.set(uid, snapshot.damage());
  }
  if (damaged.size > 0) {
    const lastTimes = await tables.findLastTimes(damaged.keys());
    for (const [uid, damage] of damaged) found.set(uid, { shownAt: lastTimes.get(uid) ?? null, damage });
  }
  return found;
}

function byId<R extends { readonly id: number }>(
  rows: ReadonlyArray<StoredRow<R>>,
): ReadonlyMap<number, StoredRow<R>> {
  return new Map(rows.map((row) => [row.asStored().id, row]));
}
