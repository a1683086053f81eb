/** `add software`, `add plugin`, `add chart` and `add event`: add to the catalogue of a store. */
import { settingsOf } from '../../collect/default-charts.ts';
import { findKnownSoftware, knownSoftwareUrls } from '../../collect/known-software.ts';
import { newChartRecord, newPluginRecords, newSoftwareRecords } from '../../collect/new-records.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { chartTypeNameSchema } from '../../model/chart.ts';
import { chartTypes, formOf } from '../../model/chart-types.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import { eventProperties, type PluginEvent } from '../../model/plugin-event.ts';
import { softwareUrlSchema } from '../../model/software.ts';
import { command } from '../command.ts';
import { counted, printMessage } from '../output.ts';
import { type CatalogueView, ownerNamed, register } from '../register.ts';
import {
  allowFutureSetting,
  changeSettings,
  chartArgument,
  matching,
  parseName,
  parseTime,
  pluginArgument,
} from '../settings.ts';

/** The owner of global plugins. */
const globalOwner = 'Admin';

const parseUrl = matching(softwareUrlSchema);

export const addSoftware = command({
  summary: `a kind of servers, with its global plugin; prints its id. Known: ${knownSoftwareUrls().join(', ')}`,
  settings: {
    ...changeSettings,
    name: {
      placeholder: 'NAME',
      help: 'the name that people see; must be given for a software that this program does not know',
      parse: parseName,
    },
  },
  argument: {
    name: '<URL>',
    help: 'its name in addresses, such as bukkit',
    parse: (text) => parseUrl(text),
  },
  async run({ store, name: givenName, dryRun }, url, refuse) {
    const name =
      givenName ??
      findKnownSoftware(url)?.name ??
      refuse(`${url} is no software that this program knows: give it a name with --name NAME`);
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

export const addPlugin = command({
  summary: 'with the default charts of its software; prints its id',
  settings: {
    ...changeSettings,
    name: {
      placeholder: 'NAME',
      help: 'the name of the plugin; must be given',
      isRequired: true,
      parse: parseName,
    },
    owner: {
      placeholder: 'NAME',
      help: 'the name of its owner, who is added if no plugin has this owner yet; must be given',
      isRequired: true,
      parse: parseName,
    },
    software: {
      placeholder: 'URL',
      help: 'the software that it runs on, such as bukkit; must be given',
      isRequired: true,
      parse: matching(softwareUrlSchema),
    },
  },
  async run({ store, name, owner: ownerName, software: softwareUrl, dryRun }) {
    await register({ store, dryRun }, async (view, ids) => {
      const software = (await view.listSoftware()).find(({ url }) => url === softwareUrl);
      if (software === undefined) {
        const message = `there is no software ${quote(softwareUrl)}; "plugin-metrics add software ${softwareUrl}" adds it`;
        throw new AppError('not_found', message);
      }
      const { pluginId: id, chartUid } = ids;
      const owner = await ownerNamed(ownerName, view, ids);
      const plugin = { id, name, owner, softwareId: software.id, isGlobal: false };
      const records = newPluginRecords(plugin, softwareUrl, chartUid);
      const namesake = await findNamesake(view, softwareUrl, name);
      const charts = counted(records.length - 1, 'chart');
      return {
        records,
        result: String(id),
        message: ({ add }) =>
          `${add} plugin ${id}, ${quote(name)}, of owner ${owner.id}, ${quote(owner.name)}, with ${charts} to ${store.name}` +
          (namesake === undefined
            ? ''
            : `; plugin ${namesake} has this name too, and is the one that is found by it`),
      };
    });
  },
});

/** Finds the plugin that an address without an id leads to. */
async function findNamesake(
  view: CatalogueView,
  softwareUrl: string,
  name: string,
): Promise<number | undefined> {
  for await (const plugins of view.listPlugins()) {
    const found = plugins.find(
      (plugin) => plugin.software.url === softwareUrl && plugin.name.toLowerCase() === name.toLowerCase(),
    );
    if (found !== undefined) return found.id;
  }
  return undefined;
}

const knownTypes = Object.keys(chartTypes).join(', ');

export const addChart = command({
  summary: 'a chart of a plugin; prints PLUGIN/CHART',
  settings: {
    ...changeSettings,
    type: {
      placeholder: 'TYPE',
      help: `the type; must be given. Known: ${knownTypes}`,
      isRequired: true,
      parse: matching(chartTypeNameSchema),
    },
    title: {
      placeholder: 'TITLE',
      help: 'the title of the chart; must be given',
      isRequired: true,
      parse: parseName,
    },
    lineName: {
      placeholder: 'NAME',
      help: 'the name of the line in a line chart; the title unless given',
      parse: parseName,
    },
  },
  argument: chartArgument,
  async run({ store, type, title, lineName, dryRun }, { pluginId, chartId }, refuse) {
    if (lineName !== undefined && formOf(type) !== 'line')
      refuse(`--line-name is for lines: a ${type} has none`);
    await register({ store, dryRun }, async (view, ids) => {
      const plugin = await view.getPlugin(pluginId);
      let position = 0;
      for await (const charts of view.listCharts(pluginId)) {
        if (charts.some((chart) => chart.chartId === chartId))
          throw new AppError('conflict', `plugin ${pluginId} has a chart ${quote(chartId)} already`);
        position = Math.max(position, ...charts.map((chart) => chart.position + 1));
      }
      const chart = {
        chartId,
        type,
        title,
        settings: settingsOf(type, { title, lineName: lineName ?? title }),
      };
      const name = `${pluginId}/${chartId}`;
      return {
        records: [newChartRecord(pluginId, chart, { uid: ids.chartUid, position, isDefault: false })],
        result: name,
        message: ({ add }) =>
          `${add} chart ${name}, ${quote(title)}, to plugin ${pluginId}, ${quote(plugin.name)}, in ${store.name}`,
      };
    });
    if (!Object.hasOwn(chartTypes, type))
      printMessage(
        `warning: the type ${quote(type)} is not known: reports are not counted for it, and it is not drawn; known are ${knownTypes}`,
      );
  },
});

export const addEvent = command({
  summary: 'something that happened to a plugin, such as a release; prints its time',
  settings: {
    ...changeSettings,
    title: {
      placeholder: 'TITLE',
      help: 'what happened, such as the version of a release; must be given',
      isRequired: true,
      parse: parseName,
    },
    time: {
      placeholder: 'TIME',
      help: 'when it happened: 2024-01-31, 2024-01-31T12:00:00Z, 90d for 90 days ago, or Unix milliseconds; now unless given',
      parse: (text) => parseTime(text, Date.now()),
    },
    url: {
      placeholder: 'URL',
      help: 'the address of a page about it, http or https; none unless given',
      parse: matching({
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
      const event = { time, title, url };
      const before = await findEvent(view, pluginId, event);
      return {
        records: [{ kind: 'event', pluginId, event, place: `plugin ${pluginId}` }],
        result: date,
        message({ add, change }) {
          let what = `${change} the address of the event`;
          if (before === undefined) what = `${add} the event`;
          else if (before.url === url) what = 'nothing to do: there is the event';
          return `${what} ${quote(title)} at ${date} of plugin ${pluginId}, ${quote(name)}, in ${store.name}`;
        },
      };
    });
  },
});

async function findEvent(
  view: CatalogueView,
  pluginId: number,
  { time, title }: PluginEvent,
): Promise<PluginEvent | undefined> {
  for await (const batch of view.listEvents(pluginId)) {
    const found = batch.find((event) => event.time === time && event.title === title);
    if (found !== undefined) return found;
  }
  return undefined;
}
