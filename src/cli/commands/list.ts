/**
 * `list software`, `list owners`, `list plugins`, `list charts` and `list events`: print what is in the
 * store, one to a line, ids first.
 */
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { Store } from '../../model/store.ts';
import { command } from '../command.ts';
import { counted, printResult } from '../output.ts';
import { flagSetting, pluginArgument, storeSetting } from '../settings.ts';

const listSettings = { store: storeSetting, json: flagSetting('print one JSON array') };

/** Something that is listed. */
interface Listed {
  readonly line: string;
  /** The same as JSON, in the fields of the interface. */
  readonly json: object;
}

const listSoftware = command({
  summary: 'list each software: id, name in addresses, name',
  settings: listSettings,
  run: (options) =>
    list(options, async function* (view) {
      for (const software of await view.listSoftware()) {
        const { id, url, name } = software;
        yield { line: `${id}  ${url}  ${name}`, json: software };
      }
    }),
});

const listPlugins = command({
  summary: 'list each plugin: id, software, name, owner',
  settings: listSettings,
  run: (options) =>
    list(options, async function* (view) {
      for await (const plugins of view.listPlugins())
        for (const plugin of plugins) {
          const { id, software, name, owner } = plugin;
          yield { line: `${id}  ${software.url}  ${name}  by ${owner.name}`, json: plugin };
        }
    }),
});

const listOwners = command({
  summary: 'list each owner: id, name, number of plugins',
  settings: listSettings,
  run: (options) =>
    list(options, async function* (view) {
      const owners = new Map<number, { readonly id: number; readonly name: string; plugins: number }>();
      for await (const plugins of view.listPlugins())
        for (const { owner } of plugins) {
          const { plugins: count } = owners.get(owner.id) ?? { plugins: 0 };
          owners.set(owner.id, { ...owner, plugins: count + 1 });
        }
      for (const owner of [...owners.values()].sort((one, other) => one.id - other.id))
        yield { line: `${owner.id}  ${owner.name}  ${counted(owner.plugins, 'plugin')}`, json: owner };
    }),
});

const listCharts = command({
  summary: 'list the charts of a plugin: PLUGIN/CHART, type, title',
  settings: listSettings,
  argument: pluginArgument,
  run: (options, pluginId) =>
    list(options, async function* (view) {
      await view.getPlugin(pluginId);
      for await (const charts of view.listCharts(pluginId))
        for (const { data: _, ...chart } of charts) {
          const { chartId, type, title } = chart;
          yield { line: `${pluginId}/${chartId}  ${type}  ${title}`, json: chart };
        }
    }),
});

const listEvents = command({
  summary: 'list the events of a plugin: time, title, address',
  settings: listSettings,
  argument: pluginArgument,
  run: (options, pluginId) =>
    list(options, async function* (view) {
      await view.getPlugin(pluginId);
      for await (const events of view.listEvents(pluginId))
        for (const event of events) {
          const { time, title, url } = event;
          const address = url === null ? '' : `  ${url}`;
          yield { line: `${new Date(time).toISOString()}  ${title}${address}`, json: event };
        }
    }),
});

async function list(
  { store, json: asJson }: { readonly store: Store; readonly json: boolean },
  each: (view: MetricsView) => AsyncIterable<Listed>,
): Promise<void> {
  await using reader = await store.openReader();
  if (!asJson) {
    for await (const { line } of reader.stream(each)) printResult(line);
    return;
  }
  const all = await Array.fromAsync(reader.stream(each), ({ json }) => json);
  printResult(JSON.stringify(all));
}

/** The commands of this file by name. */
export const listCommands = {
  'list software': listSoftware,
  'list owners': listOwners,
  'list plugins': listPlugins,
  'list charts': listCharts,
  'list events': listEvents,
};
