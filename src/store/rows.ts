/** Converts rows to types of the model, and back, where the two differ. */
import type { Chart, ChartName, OldName, Owner, PluginSummary, Software } from '../model/catalogue.ts';
import type { StoredSpan } from '../model/chart-data.ts';
import { type JsonText, trustedJson, wellFormedJson } from '../model/json-text.ts';
import type { PluginFields } from '../model/metrics-record.ts';
import type { Removal } from '../model/metrics-remover.ts';
import { nameKey } from '../model/names.ts';
import type { PluginEvent } from '../model/plugin-event.ts';
import type { LatestPoint, ListedPlugin, ListedSoftware } from '../model/plugin-list.ts';
import { everyChart, everyPlugin, type Row } from './tables.ts';

/** Makes an element of the software list. */
export function softwareOf({
  globalPluginId: _,
  plugin,
  ...software
}: Row<'software'> & { readonly plugin: Row<'plugin'> | null }): Software {
  return { ...software, globalPlugin: plugin && { id: plugin.id, name: plugin.name } };
}

/** A plugin with its owner and its software. */
export type PluginRow = Row<'plugin'> & { readonly owner: Row<'owner'>; readonly software: Row<'software'> };

/** Makes an element of the plugin list. */
export function pluginSummaryOf({ id, name, owner, software, isGlobal }: PluginRow): PluginSummary {
  return {
    id,
    name,
    owner: { id: owner.id, name: owner.name },
    software: { id: software.id, name: software.name, url: software.url },
    isGlobal,
  };
}

/** Makes the plugin of a record. */
export function pluginFieldsOf(plugin: Row<'plugin'>, owner: Row<'owner'>): PluginFields {
  const { id, name, softwareId, isGlobal } = plugin;
  return { id, name, owner: { id: owner.id, name: owner.name }, softwareId, isGlobal };
}

/** Makes the row of an owner. */
export function ownerRow({ id, name }: Owner): Row<'owner'> {
  return { id, name, nameKey: nameKey(name) };
}

/** Makes the row of a plugin. */
export function pluginRow({ id, name, owner, softwareId, isGlobal }: PluginFields): Row<'plugin'> {
  return { id, name, ownerId: owner.id, softwareId, isGlobal, nameKey: nameKey(name) };
}

/** Makes the row of an old name of a plugin. */
export function oldNameRow({ pluginId, name }: OldName): Row<'oldName'> {
  return { pluginId, name, nameKey: nameKey(name) };
}

/** Makes an old name of a plugin. */
export function oldNameOf({ pluginId, name }: Row<'oldName'>): OldName {
  return { pluginId, name };
}

/** Makes a chart. */
export function chartOf({ chartId, uid, type, position, title, isDefault, settings }: Row<'chart'>): Chart {
  return { chartId, uid, type, position, title, isDefault, data: settings };
}

/** Makes the row of a chart. */
export function chartRow(pluginId: number, { data, ...chart }: Chart): Row<'chart'> {
  const { uid, chartId, type, position, title, isDefault } = chart;
  return { uid, pluginId, chartId, type, position, title, isDefault, settings: data };
}

/** The data of a chart that is not a line. */
export function shownOf({ json, at }: Row<'snapshot'>): {
  readonly json: JsonText;
  readonly at: number | null;
} {
  return { json: at === null ? json : trustedJson(wellFormedJson(json)), at };
}

/** Makes the span of a chart. */
export function spanOfRow({ firstTime, lastTime, lastValue }: Row<'chartNow'>): StoredSpan {
  return { first: firstTime, last: lastTime, lastValue: lastValue ?? Number.NaN };
}

/** Makes a plugin of a list. */
export function listedPluginOf(
  row: PluginRow & { readonly pluginNow: Row<'pluginNow'>; readonly pluginTrend: Row<'pluginTrend'> },
): ListedPlugin {
  const { pluginNow, pluginTrend } = row;
  return {
    ...pluginSummaryOf(row),
    ...latestOf(pluginNow),
    days: JSON.parse(pluginTrend.days),
    changes: { '7d': pluginTrend.weekChange, '28d': pluginTrend.monthChange },
  };
}

/** Makes a software with its numbers. */
export function softwareNowOf({
  softwareNow,
  pluginNow,
  pluginTrend,
  ...row
}: Row<'software'> & {
  readonly plugin: Row<'plugin'> | null;
  readonly softwareNow: Row<'softwareNow'> | null;
  readonly pluginNow: Row<'pluginNow'> | null;
  readonly pluginTrend: Row<'pluginTrend'> | null;
}): ListedSoftware {
  return {
    ...softwareOf(row),
    ...countsOf(softwareNow),
    ...latestOf(pluginNow),
    days: pluginTrend === null ? [] : JSON.parse(pluginTrend.days),
    largest: { servers: softwareNow?.servers ?? null, players: softwareNow?.players ?? null },
    newestTime: softwareNow?.newestTime ?? null,
  };
}

/** Makes the counts of a software; zeros for a software without plugins. */
export function countsOf(
  row: Row<'softwareNow'> | null,
): Pick<ListedSoftware, 'pluginCount' | 'globalCount'> {
  return { pluginCount: row?.pluginCount ?? 0, globalCount: row?.globalCount ?? 0 };
}

function latestOf(row: Row<'pluginNow'> | null): Pick<ListedPlugin, 'servers' | 'players'> {
  return {
    servers: pointOf(row?.serversTime, row?.servers),
    players: pointOf(row?.playersTime, row?.players),
  };
}

function pointOf(time: number | null | undefined, value: number | null | undefined): LatestPoint | null {
  return time == null ? null : [time, Number(value)];
}

/** Makes a removal. */
export function removalOf({ pluginId, chartId, beforeTimestamp }: Row<'removal'>): Removal {
  return {
    ...(pluginId === everyPlugin ? {} : { pluginId }),
    ...(chartId === everyChart ? {} : { chartId }),
    before: beforeTimestamp,
  };
}

/**
 * Makes the row of a removal, merged with the stored removal of the same thing: null wins, otherwise the
 * later time.
 */
export function removalRow(
  { pluginId = everyPlugin, chartId = everyChart, before }: Removal,
  stored?: Row<'removal'>,
): Row<'removal'> {
  const earlier = stored === undefined ? before : stored.beforeTimestamp;
  const beforeTimestamp = before === null || earlier === null ? null : Math.max(before, earlier);
  return { pluginId, chartId, beforeTimestamp };
}

/** Makes an event. */
export function eventOf({ time, title, url }: Row<'event'>): PluginEvent {
  return { time, title, url };
}

/** Makes a text that identifies a chart within its store. */
export function chartKey({ pluginId, chartId }: ChartName): string {
  return `${pluginId} ${chartId}`;
}
