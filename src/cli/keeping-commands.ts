/** The commands for the maintenance of a store: backups, removal, space, counts. */
import type { Command } from 'commander';
import { parseIdArgument } from './plugin-ids.ts';
import { refuseSameFile } from './same-file.ts';
import { declareCommand } from './settings/declare-command.ts';
import {
  changeSettings,
  parseChartArgument,
  parsePath,
  pruneSettings,
  statsSettings,
  storeSettings,
} from './settings/settings.ts';

/** Adds these commands to the program. */
export function declareKeepingCommands(root: Command): void {
  declareCommand(root, 'backup', {
    summary: 'copy the store as it is at one moment, while it is served and written (SQLite)',
    settings: storeSettings,
    argument: { name: '<FILE>', help: 'the backup to make: a store of its own', parse: parsePath },
    async run({ store }, file, made) {
      if (file === '-') made.error('error: a backup is a file; "export" writes to standard output');
      refuseSameFile(made, store, { writes: [file] });
      const { backUp } = await import('./commands/backup.ts');
      await backUp(store, file);
    },
  });
  declareCommand(root, 'restore', {
    summary: 'make the store from a backup or an archive, which is checked first',
    settings: changeSettings,
    argument: {
      name: '<FILE>',
      help: 'a backup, or an archive, plain, gzip or zstd; - is an archive on standard input',
      parse: parsePath,
    },
    async run({ store, dryRun }, file, made) {
      refuseSameFile(made, store, { reads: [file] });
      const { restore } = await import('./commands/restore.ts');
      await restore(store, file, { isDryRun: dryRun });
    },
  });
  const remove = root.command('remove').description('remove a plugin or a chart from the store');
  declareCommand(remove, 'plugin', {
    summary: 'with its charts and their data',
    settings: changeSettings,
    argument: { name: '<ID>', help: 'the id of the plugin', parse: (text) => parseIdArgument(text) },
    async run({ store, dryRun }, pluginId) {
      const { removePlugin } = await import('./commands/remove.ts');
      await removePlugin(store, pluginId, { isDryRun: dryRun });
    },
  });
  declareCommand(remove, 'chart', {
    summary: 'with its data',
    settings: changeSettings,
    argument: {
      name: '<PLUGIN/CHART>',
      help: 'such as 1337/players',
      parse: (text) => parseChartArgument(text),
    },
    async run({ store, dryRun }, name) {
      const { removeChart } = await import('./commands/remove.ts');
      await removeChart(store, name, { isDryRun: dryRun });
    },
  });
  declareCommand(root, 'prune', {
    summary: 'remove points that are older or newer than a date',
    settings: pruneSettings,
    async run({ store, before, after, plugin, chart, dryRun }, _, made) {
      if (before === undefined && after === undefined)
        made.error('error: say which points go: --before DATE, --after DATE or both');
      if (before !== undefined && after !== undefined && after >= before)
        made.error('error: nothing lies between: --after must be earlier than --before');
      if (plugin !== undefined && chart !== undefined)
        made.error('error: --chart names its plugin: leave out --plugin');
      const { pruneStore } = await import('./commands/prune.ts');
      await pruneStore(store, {
        afterTimestamp: after,
        beforeTimestamp: before,
        pluginId: chart?.pluginId ?? plugin,
        chartId: chart?.chartId,
        isDryRun: dryRun,
      });
    },
  });
  declareCommand(root, 'compact', {
    summary: 'give space that the store no longer needs back to the system',
    settings: changeSettings,
    async run({ store, dryRun }) {
      const { compact } = await import('./commands/compact.ts');
      await compact(store, { isDryRun: dryRun });
    },
  });
  declareCommand(root, 'stats', {
    summary: 'count what is in the store',
    settings: statsSettings,
    async run({ store, json }) {
      const { printStats } = await import('./commands/stats.ts');
      await printStats(store, { isJson: json });
    },
  });
}
