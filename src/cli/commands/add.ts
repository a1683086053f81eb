/**
 * `add software`, `add plugin`, `add chart`, `add charts` and `add event`: add to the catalogue of a store.
 */
import {
  defaultChartsOf,
  knownSoftware,
  playerChartsOf,
  settingsOf,
  softwareRunning,
} from '../../collect/default-charts.ts';
import { defaultCharts, findDefaultChart } from '../../collect/default-values.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { chartTypeNameSchema } from '../../model/catalogue.ts';
import { chartTypes, formOf } from '../../model/chart-types.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { StoreWriter } from '../../model/metrics-writer.ts';
import { nearestName } from '../../model/names.ts';
import { matching } from '../../model/parameter.ts';
import { eventProperties, type PluginEvent } from '../../model/plugin-event.ts';
import { command } from '../command.ts';
import { newChartRecord, newPluginRecords, newSoftwareRecords } from '../new-records.ts';
import { counted } from '../output.ts';
import { ownerNamed, refuseTwin, register } from '../register.ts';
import {
  allowDuplicateSetting,
  allowFutureSetting,
  changeSettings,
  chartArgument,
  count,
  flagSetting,
  nameText,
  pluginArgument,
  softwareArgument,
  timeSetting,
  titleText,
} from '../settings.ts';

/** The owner of global plugins. */
const globalOwner = 'Admin';

const addSoftware = command({
  summary: `add a software with its global plugin; prints its id. Known: ${[...knownSoftware.keys()].join(', ')}`,
  settings: {
    ...changeSettings,
    name: {
      help: 'the name that people see; required if the software is not known',
      ...nameText,
    },
  },
  argument: softwareArgument,
  async run({ store, name: givenName, dryRun }, url, refuse) {
    const name =
      givenName ??
      knownSoftware.get(url)?.name ??
      refuse(
        `${url} is not known: give it a name with --name NAME, or add one of ${[...knownSoftware.keys()].join(', ')}`,
      );
    await register({ store, dryRun, makesStore: true }, async (view, ids) => {
      const there = (await view.listSoftware()).find((software) => software.url === url);
      if (there !== undefined)
        throw new AppError('conflict', `there is a software ${quote(url)} already, with the id ${there.id}`);
      const records = newSoftwareRecords({ url, name }, ids, await ownerNamed(globalOwner, view, ids));
      const chartCount = records.filter(({ kind }) => kind === 'chart').length;
      const globalPlugin =
        records.length > 1 ? ` with the global plugin ${ids.pluginId}, ${counted(chartCount, 'chart')},` : '';
      return {
        records,
        result: String(ids.softwareId),
        message: ({ add }) =>
          `${add} software ${ids.softwareId}, ${quote(name)},${globalPlugin} to ${store.name}`,
      };
    });
  },
});

const addPlugin = command({
  summary: 'add a plugin with the default charts of its software; prints its id',
  settings: {
    ...changeSettings,
    name: {
      help: 'the name of the plugin; required',
      isRequired: true,
      ...nameText,
    },
    owner: {
      help: 'the name of its owner, who is added if no plugin has that owner; required',
      isRequired: true,
      ...nameText,
    },
    software: {
      ...softwareArgument,
      help: 'its software, such as bukkit; required',
      isRequired: true,
    },
    maxPlayers: {
      help: 'the most players counted for one server; if not given, 200, or 800 for proxies',
      ...count,
    },
    allowDuplicate: allowDuplicateSetting,
  },
  async run({ store, name, owner: ownerName, software: softwareUrl, maxPlayers, allowDuplicate, dryRun }) {
    await register({ store, dryRun }, async (view, ids) => {
      const all = await view.listSoftware();
      const software = all.find(({ url }) => url === softwareUrl);
      if (software === undefined) {
        const urls = all.map(({ url }) => url);
        throw new AppError(
          'not_found',
          `there is no software ${quote(softwareUrl)}; ${hintFor(softwareUrl, urls)}`,
        );
      }
      const { pluginId: id, chartUid } = ids;
      const owner = await ownerNamed(ownerName, view, ids);
      const plugin = { id, name, owner, softwareId: software.id, isGlobal: false };
      if (!allowDuplicate) await refuseTwin(view, plugin);
      const records = newPluginRecords(plugin, softwareUrl, chartUid, maxPlayers);
      const charts = counted(records.length - 1, 'chart');
      return {
        records,
        result: String(id),
        message: ({ add }) =>
          `${add} plugin ${id}, ${quote(name)}, of owner ${owner.id}, ${quote(owner.name)}, with ${charts} to ${store.name}`,
      };
    });
  },
});

/** Says what to do about a software that the store does not have. */
function hintFor(softwareUrl: string, there: readonly string[]): string {
  const url = knownSoftware.has(softwareUrl) ? softwareUrl : (softwareRunning(softwareUrl) ?? softwareUrl);
  const use = url === softwareUrl ? '' : `plugins for ${softwareUrl} use --software ${url}`;
  if (there.includes(url)) return use;
  const name = knownSoftware.has(url) ? '' : ' --name NAME';
  return `${use}${use && '; '}"plugin-metrics add software ${url}${name}" adds it`;
}

const knownTypes = Object.keys(chartTypes).join(', ');
const knownCharts = Object.entries(defaultCharts)
  .map(([id, { type }]) => `${id} (${type})`)
  .join(', ');

const addChart = command({
  summary: 'add a chart to a plugin; prints PLUGIN/CHART',
  settings: {
    ...changeSettings,
    type: {
      placeholder: 'TYPE',
      help: `the type; required. Known: ${knownTypes}`,
      isRequired: true,
      ...matching(chartTypeNameSchema),
    },
    title: {
      help: 'the title of the chart; required',
      isRequired: true,
      ...titleText,
    },
    lineName: {
      help: 'the name of the line; if not given, the title',
      ...nameText,
    },
    default: flagSetting('make it a default chart, which is computed from the fields that every report has'),
    unknownType: flagSetting(
      'accept an unknown type, which is stored and served, but neither counted nor drawn',
    ),
  },
  argument: chartArgument,
  async run(
    { store, type, title, lineName, default: isDefault, unknownType, dryRun },
    { pluginId, chartId },
    refuse,
  ) {
    if (!unknownType && !Object.hasOwn(chartTypes, type))
      refuse(
        `--type: the type ${quote(type)} is not known, did you mean ${nearestName(type, Object.keys(chartTypes))}? Known are ${knownTypes}; --unknown-type accepts it`,
      );
    if (lineName !== undefined && formOf(type) !== 'line')
      refuse(`--line-name is for lines: a ${type} has none`);
    if (isDefault && findDefaultChart(chartId)?.type !== type)
      refuse(`--default: there is no default chart ${chartId} of the type ${type}; there are ${knownCharts}`);
    await register({ store, dryRun }, async (view, ids) => {
      const plugin = await view.getPlugin(pluginId);
      const { chartIds, position } = await chartsOf(view, pluginId);
      if (chartIds.has(chartId))
        throw new AppError('conflict', `plugin ${pluginId} has a chart ${quote(chartId)} already`);
      const chart = {
        chartId,
        type,
        title,
        settings: settingsOf(type, { title, lineName: lineName ?? title }),
      };
      const name = `${pluginId}/${chartId}`;
      return {
        records: [newChartRecord(pluginId, chart, { uid: ids.chartUid, position, isDefault })],
        result: name,
        message: ({ add }) =>
          `${add} chart ${name}, ${quote(title)}, to plugin ${pluginId}, ${quote(plugin.name)}, in ${store.name}`,
      };
    });
  },
});

const addCharts = command({
  summary: 'add the default charts that a plugin lacks; prints PLUGIN/CHART for each',
  settings: {
    ...changeSettings,
    players: flagSetting(
      'add the charts of players by Minecraft version, plugin version and server software instead',
    ),
  },
  argument: pluginArgument,
  async run({ store, players, dryRun }, pluginId) {
    await register({ store, dryRun }, async (view, ids) => {
      const { name, isGlobal, software } = await view.getPlugin(pluginId);
      const { chartIds, position } = await chartsOf(view, pluginId);
      const makeCharts = players ? playerChartsOf : defaultChartsOf;
      const charts = makeCharts(software.url, { name, isGlobal }).filter(
        (chart) => !chartIds.has(chart.chartId),
      );
      const records = charts.map((chart, index) =>
        newChartRecord(pluginId, chart, {
          uid: ids.chartUid + index,
          position: position + index,
          isDefault: true,
        }),
      );
      const lines = charts.map(({ chartId }) => `${pluginId}/${chartId}`);
      const plugin = `plugin ${pluginId}, ${quote(name)}, in ${store.name}`;
      return {
        records,
        result: lines,
        message: ({ add }) =>
          lines.length > 0
            ? `${add} ${counted(lines.length, 'chart')} to ${plugin}`
            : `no ${players ? 'chart of players' : 'default chart'} is missing: nothing to add to ${plugin}`,
      };
    });
  },
});

/** Lists the ids of the charts of a plugin, and finds the position after them. */
async function chartsOf(view: StoreWriter['view'], pluginId: number) {
  const chartIds = new Set<string>();
  let position = 0;
  for await (const charts of view.listCharts(pluginId))
    for (const chart of charts) {
      chartIds.add(chart.chartId);
      position = Math.max(position, chart.position + 1);
    }
  return { chartIds, position };
}

const addEvent = command({
  summary: 'add an event of a plugin, such as a release; prints its time',
  settings: {
    ...changeSettings,
    title: {
      help: 'what happened, such as 2.4.0; required',
      isRequired: true,
      ...titleText,
    },
    time: {
      help: 'when it happened, in a form of --before of prune; if not given, now',
      ...timeSetting,
      placeholder: 'TIME',
    },
    url: {
      placeholder: 'URL',
      help: 'the http or https address of a page about it',
      ...matching({
        ...eventProperties.url,
        description: 'a URL of at most 2,000 characters that begins with http:// or https://',
      }),
    },
    allowFuture: allowFutureSetting,
  },
  argument: pluginArgument,
  async run({ store, title, time = Date.now(), url = null, allowFuture, dryRun }, pluginId, refuse) {
    const latestTimestamp = latestTimestampAt(Date.now(), { allowsFuture: allowFuture });
    const date = new Date(time).toISOString();
    if (time > latestTimestamp)
      refuse(
        `--time: ${date} is more than a day ahead of the clock of this machine; --allow-future accepts it`,
      );
    await register({ store, dryRun, latestTimestamp }, async (view) => {
      const { name } = await view.getPlugin(pluginId);
      const there = await findEvent(view, pluginId, { time, title });
      const isThere = there?.url === url;
      const event = `the event ${quote(title)} at ${date} of plugin ${pluginId}, ${quote(name)},`;
      const record = {
        kind: 'event',
        pluginId,
        event: { time, title, url },
        place: `plugin ${pluginId}`,
      } as const;
      return {
        records: isThere ? [] : [record],
        result: date,
        message: ({ add, change }) =>
          isThere
            ? `${event} is there already in ${store.name}`
            : `${there === undefined ? add : change} ${event} in ${store.name}`,
      };
    });
  },
});

async function findEvent(
  view: StoreWriter['view'],
  pluginId: number,
  { time, title }: { readonly time: number; readonly title: string },
): Promise<PluginEvent | undefined> {
  for await (const events of view.listEvents(pluginId)) {
    const found = events.find((event) => event.time === time && event.title === title);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The commands of this file by name. */
export const addCommands = {
  'add event': addEvent,
  'add software': addSoftware,
  'add plugin': addPlugin,
  'add chart': addChart,
  'add charts': addCharts,
};
