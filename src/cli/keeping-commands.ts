/** The commands that keep a store in order: backups, removal, space, counts. */
import type { Command } from 'commander';
import type { Store } from '../model/store.ts';
import type { ChartName } from '../store/import-batch.ts';
import { command, orWrongUsage } from './declare-command.ts';
import { parsePluginId } from './mirror/plugin-ids.ts';
import { refuseSameFile } from './same-file.ts';
import {
  changeSettings,
  parseChartName,
  parsePath,
  pruneSettings,
  statsSettings,
  storeSettings,
} from './settings.ts';

interface ChangeOptions {
  readonly store: Store;
  readonly dryRun: boolean;
}

interface PruneCommandOptions extends ChangeOptions {
  readonly before?: number;
  readonly after?: number;
  readonly plugin?: number;
  readonly chart?: ChartName;
}

/** Adds them to the program. */
export function addKeepingCommands(root: Command): void {
  const argument =
    <Value>(name: string, parse: (text: string) => Value) =>
    (text: string) =>
      orWrongUsage(root, name, () => parse(text));
  const backup = command(root, 'backup', {
    summary: 'copy the store as it is at one moment, while it is served and written (SQLite)',
    settings: storeSettings,
  });
  backup
    .argument('<FILE>', 'the backup to make: a store of its own', argument('FILE', parsePath))
    .action(async (file: string, options: { readonly store: Store }) => {
      if (file === '-') backup.error('error: a backup is a file; "export" writes to standard output');
      refuseSameFile(backup, options.store, { writes: [file] });
      const { backUp } = await import('./commands/backup.ts');
      await backUp(options.store, file);
    });
  const restoring = command(root, 'restore', {
    summary: 'make the store from a backup or an archive, which is checked first',
    settings: changeSettings,
  });
  restoring
    .argument(
      '<FILE>',
      'a backup, or an archive, plain, gzip or zstd; - is an archive on standard input',
      argument('FILE', parsePath),
    )
    .action(async (file: string, { store, dryRun }: ChangeOptions) => {
      refuseSameFile(restoring, store, { reads: [file] });
      const { restore } = await import('./commands/restore.ts');
      await restore(store, file, { isDryRun: dryRun });
    });
  const remove = root.command('remove').description('take a plugin or a chart out of the store');
  command(remove, 'plugin', { summary: 'with its charts and their data', settings: changeSettings })
    .argument('<ID>', 'the id of the plugin', argument('ID', parsePluginId))
    .action(async (pluginId: number, { store, dryRun }: ChangeOptions) => {
      const { removePlugin } = await import('./commands/remove.ts');
      await removePlugin(store, pluginId, { isDryRun: dryRun });
    });
  command(remove, 'chart', { summary: 'with its data', settings: changeSettings })
    .argument('<PLUGIN/CHART>', 'such as 1337/players', argument('PLUGIN/CHART', parseChartName))
    .action(async (name: ChartName, { store, dryRun }: ChangeOptions) => {
      const { removeChart } = await import('./commands/remove.ts');
      await removeChart(store, name, { isDryRun: dryRun });
    });
  const prune = command(root, 'prune', {
    summary: 'take points that are older or newer than a date out of the store',
    settings: pruneSettings,
  });
  prune.action(async ({ store, before, after, plugin, chart, dryRun }: PruneCommandOptions) => {
    if (before === undefined && after === undefined)
      return prune.error('error: say which points go: --before DATE, --after DATE or both');
    if (before !== undefined && after !== undefined && after >= before)
      return prune.error('error: nothing lies between: --after must be earlier than --before');
    if (plugin !== undefined && chart !== undefined)
      return prune.error('error: --chart names its plugin: leave out --plugin');
    const { pruneStore } = await import('./commands/prune.ts');
    await pruneStore(store, {
      afterTimestamp: after,
      beforeTimestamp: before,
      pluginId: chart?.pluginId ?? plugin,
      chartId: chart?.chartId,
      isDryRun: dryRun,
    });
  });
  command(root, 'compact', {
    summary: 'give space that the store no longer needs back to the system',
    settings: changeSettings,
  }).action(async ({ store, dryRun }: ChangeOptions) => {
    const { compact } = await import('./commands/compact.ts');
    await compact(store, { isDryRun: dryRun });
  });
  command(root, 'stats', { summary: 'count what is in the store', settings: statsSettings }).action(
    async ({ store, json }: { readonly store: Store; readonly json: boolean }) => {
      const { printStats } = await import('./commands/stats.ts');
      await printStats(store, { isJson: json });
    },
  );
}
