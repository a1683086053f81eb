/** `rename plugin`, `rename chart` and `rename owner`: give something another name. */
import { defaultChartsOf } from '../../collect/default-charts.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { maxId, type PluginSummary } from '../../model/catalogue.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { StoreWriter } from '../../model/metrics-writer.ts';
import { digitsFrom } from '../../model/parameter.ts';
import { command } from '../command.ts';
import { counted } from '../output.ts';
import { ownerNamed, refuseTwin, register } from '../register.ts';
import {
  allowDuplicateSetting,
  changeSettings,
  chartArgument,
  nameText,
  pluginArgument,
  titleText,
} from '../settings.ts';

const renamePlugin = command({
  summary: 'give a plugin another name or owner; its old names still lead to it',
  settings: {
    ...changeSettings,
    name: {
      help: 'the new name of the plugin; if not given, the name stays',
      ...nameText,
    },
    owner: {
      help: 'the name of its new owner; if not given, the owner stays',
      ...nameText,
    },
    allowDuplicate: allowDuplicateSetting,
  },
  argument: { ...pluginArgument, name: '<ID>' },
  async run({ store, name: newName, owner: ownerName, allowDuplicate, dryRun }, pluginId, refuse) {
    if (newName === undefined && ownerName === undefined) refuse('give --name, --owner, or both');
    await register({ store, dryRun }, async (view, ids) => {
      const before = await view.getPlugin(pluginId);
      const name = newName ?? before.name;
      const owner = ownerName === undefined ? before.owner : await ownerNamed(ownerName, view, ids);
      const place = `plugin ${pluginId}`;
      const plugin = { id: pluginId, name, owner, softwareId: before.software.id, isGlobal: before.isGlobal };
      const changes: string[] = [];
      const records: MetricsRecord[] = [{ place, kind: 'plugin', plugin }];
      let keptTitles: readonly string[] = [];
      if (name !== before.name) {
        changes.push(`name from ${quote(before.name)} to ${quote(name)}`);
        records.push({ place, kind: 'oldName', oldName: { pluginId, name: before.name } });
        const titles = await retitle(view, before, name);
        records.push(...titles.records);
        keptTitles = titles.kept;
        if (titles.records.length > 0)
          changes.push(`titles of ${counted(titles.records.length, 'default chart')}`);
      }
      if (owner.id !== before.owner.id)
        changes.push(`owner from ${quote(before.owner.name)} to ${quote(owner.name)}`);
      if (changes.length > 0 && !allowDuplicate) await refuseTwin(view, plugin);
      const kept =
        keptTitles.length === 0
          ? ''
          : `; ${quote(before.name)} is still in the ${keptTitles.length === 1 ? 'title' : 'titles'} of ${keptTitles.join(', ')} ("rename chart")`;
      return {
        records: changes.length === 0 ? [] : records,
        message: ({ change }) =>
          changes.length === 0
            ? `nothing to do: plugin ${pluginId} is ${quote(name)} of ${quote(owner.name)} already, in ${store.name}`
            : `${change} the ${changes.join(' and the ')} of plugin ${pluginId} in ${store.name}${kept}`,
      };
    });
  },
});

/**
 * Gives default charts that still have their title of the old name the title of the new name. `kept` are
 * other charts with the old name.
 */
async function retitle(view: StoreWriter['view'], plugin: PluginSummary, newName: string) {
  const { id: pluginId, software, isGlobal } = plugin;
  const titlesFor = (name: string) =>
    new Map(defaultChartsOf(software.url, { name, isGlobal }).map(({ chartId, title }) => [chartId, title]));
  const [before, after] = [titlesFor(plugin.name), titlesFor(newName)];
  const records: MetricsRecord[] = [];
  const kept: string[] = [];
  for await (const charts of view.listCharts(pluginId))
    for (const chart of charts) {
      const { chartId, title, isDefault } = chart;
      const newTitle = isDefault && before.get(chartId) === title ? after.get(chartId) : undefined;
      if (newTitle === undefined) {
        if (title.includes(plugin.name)) kept.push(`${pluginId}/${chartId}`);
      } else if (newTitle !== title)
        records.push({
          place: `chart ${pluginId}/${chartId}`,
          kind: 'chart',
          pluginId,
          chart: { ...chart, title: newTitle },
        });
    }
  return { records, kept };
}

const renameChart = command({
  summary: 'give a chart another title',
  settings: {
    ...changeSettings,
    title: {
      help: 'the new title; required',
      isRequired: true,
      ...titleText,
    },
  },
  argument: chartArgument,
  async run({ store, title, dryRun }, { pluginId, chartId }) {
    await register({ store, dryRun }, async (view) => {
      const { pluginName: _name, hasEvents: _events, ...chart } = await view.getChart(pluginId, chartId);
      const name = `${pluginId}/${chartId}`;
      const isSame = title === chart.title;
      return {
        records: isSame
          ? []
          : [{ place: `chart ${name}`, kind: 'chart', pluginId, chart: { ...chart, title } }],
        message: ({ change }) =>
          isSame
            ? `nothing to do: chart ${name} has the title ${quote(title)} already, in ${store.name}`
            : `${change} the title of chart ${name} from ${quote(chart.title)} to ${quote(title)} in ${store.name}`,
      };
    });
  },
});

const renameOwner = command({
  summary: 'give an owner another name, for all plugins',
  settings: {
    ...changeSettings,
    name: {
      help: 'the new name; required',
      isRequired: true,
      ...nameText,
    },
  },
  argument: { name: '<ID>', help: 'the id of the owner', ...digitsFrom(1, maxId) },
  async run({ store, name, dryRun }, ownerId) {
    await register({ store, dryRun }, async (view) => {
      const owned: PluginSummary[] = [];
      for await (const plugins of view.listPlugins())
        owned.push(...plugins.filter(({ owner }) => owner.id === ownerId));
      const [first] = owned;
      if (first === undefined)
        throw new AppError(
          'not_found',
          `there is no owner with the id ${ownerId}; "plugin-metrics list owners" lists them`,
        );
      const { name: oldName } = first.owner;
      const owner = { id: ownerId, name };
      return {
        records:
          name === oldName
            ? []
            : owned.map(({ software, ...plugin }) => ({
                place: `plugin ${plugin.id}`,
                kind: 'plugin',
                plugin: { ...plugin, owner, softwareId: software.id },
              })),
        message: ({ change }) =>
          name === oldName
            ? `nothing to do: owner ${ownerId} is ${quote(name)} already, in ${store.name}`
            : `${change} the name of owner ${ownerId}, of ${counted(owned.length, 'plugin')}, from ${quote(oldName)} to ${quote(name)} in ${store.name}`,
      };
    });
  },
});

/** The commands of this file by name. */
export const renameCommands = {
  'rename plugin': renamePlugin,
  'rename chart': renameChart,
  'rename owner': renameOwner,
};
