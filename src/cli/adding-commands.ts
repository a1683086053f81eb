/** The commands that add one thing to the store, or rename it, as an archive with one record does. */
import type { Command } from 'commander';
import { findKnownSoftware, knownSoftwareUrls } from '../collect/known-software.ts';
import { quote } from '../model/app-error.ts';
import { chartTypes, formOf } from '../model/chart-types.ts';
import { latestTimestampAt, refuseFuture } from '../model/future-points.ts';
import { printMessage } from './output.ts';
import { parseIdArgument } from './plugin-ids.ts';
import {
  addChartSettings,
  addEventSettings,
  addPluginSettings,
  addSoftwareSettings,
  parseSoftwareUrl,
  renamePluginSettings,
} from './settings/add-settings.ts';
import { declareCommand, orWrongUsage } from './settings/declare-command.ts';
import { parseChartArgument } from './settings/settings.ts';

/** Adds these commands to the program. */
export function declareAddingCommands(root: Command): void {
  const add = root.command('add').description('add a software, a plugin, a chart or an event to the store');
  declareCommand(add, 'event', {
    summary: 'something that happened to a plugin, such as a release; prints its time',
    settings: addEventSettings,
    argument: { name: '<PLUGIN>', help: 'the id of the plugin', parse: (text) => parseIdArgument(text) },
    async run({ store, title, time = Date.now(), url = null, allowFuture, dryRun }, pluginId, made) {
      if (title === undefined) return made.error('error: say what happened: --title TITLE');
      const latestTimestamp = latestTimestampAt(Date.now(), { allowsFuture: allowFuture });
      orWrongUsage(made, '--time (PLUGIN_METRICS_TIME)', () =>
        refuseFuture(time, latestTimestamp, 'an event'),
      );
      const { addEvent } = await import('./commands/add/add-event.ts');
      await addEvent(store, pluginId, { event: { time, title, url }, latestTimestamp, isDryRun: dryRun });
    },
  });
  declareCommand(add, 'software', {
    summary: `a kind of servers, with its global plugin; prints its id. Known: ${knownSoftwareUrls().join(', ')}`,
    settings: addSoftwareSettings,
    argument: {
      name: '<URL>',
      help: 'its name in addresses, such as bukkit',
      parse: (text) => parseSoftwareUrl(text),
    },
    async run({ store, name, dryRun }, url, made) {
      if (name === undefined && findKnownSoftware(url) === undefined)
        made.error(`error: ${url} is no software that this program knows: give it a name with --name NAME`);
      const { addSoftware } = await import('./commands/add/add-software.ts');
      await addSoftware(store, url, { name, isDryRun: dryRun });
    },
  });
  declareCommand(add, 'plugin', {
    summary: 'with the default charts of its software; prints its id',
    settings: addPluginSettings,
    async run({ store, name, owner, software, dryRun }, _, made) {
      if (name === undefined || owner === undefined || software === undefined)
        return made.error('error: say which plugin: --name NAME --owner NAME --software URL');
      const { addPlugin } = await import('./commands/add/add-plugin.ts');
      await addPlugin(store, { name, ownerName: owner, softwareUrl: software, isDryRun: dryRun });
    },
  });
  declareCommand(add, 'chart', {
    summary: 'a chart of a plugin; prints PLUGIN/CHART',
    settings: addChartSettings,
    argument: {
      name: '<PLUGIN/CHART>',
      help: 'the id of the plugin, and the id that its reports give the chart, such as 1337/language',
      parse: (text) => parseChartArgument(text),
    },
    async run({ store, type, title, lineName, dryRun }, name, made) {
      if (type === undefined || title === undefined)
        return made.error('error: say which chart: --type TYPE --title TITLE');
      if (lineName !== undefined && formOf(type) !== 'line')
        made.error(`error: --line-name is for lines: a ${type} has none`);
      const { addChart } = await import('./commands/add/add-chart.ts');
      await addChart(store, name, { type, title, lineName, isDryRun: dryRun });
      if (!Object.hasOwn(chartTypes, type))
        printMessage(
          `warning: the type ${quote(type)} is not known: reports are not counted for it, and it is not drawn; known are ${Object.keys(chartTypes).join(', ')}`,
        );
    },
  });
  const rename = root.command('rename').description('rename a plugin');
  declareCommand(rename, 'plugin', {
    summary: 'it is still found by its old name',
    settings: renamePluginSettings,
    argument: { name: '<ID>', help: 'the id of the plugin', parse: (text) => parseIdArgument(text) },
    async run({ store, name, owner, dryRun }, pluginId, made) {
      if (name === undefined) return made.error('error: say what it is called now: --name NAME');
      const { renamePlugin } = await import('./commands/rename.ts');
      await renamePlugin(store, pluginId, { name, ownerName: owner, isDryRun: dryRun });
    },
  });
}
