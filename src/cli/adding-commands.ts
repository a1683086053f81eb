/** The commands that add one thing to the store, as an archive with one record does. */
import type { Command } from 'commander';
import { latestTimestampAt, refuseFuture } from '../model/future-points.ts';
import { parseIdArgument } from './plugin-ids.ts';
import { addEventSettings } from './settings/add-settings.ts';
import { declareCommand, orWrongUsage } from './settings/declare-command.ts';

/** Adds these commands to the program. */
export function declareAddingCommands(root: Command): void {
  const add = root.command('add').description('add an event of a plugin to the store');
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
      const { addEvent } = await import('./commands/add.ts');
      await addEvent(store, pluginId, { event: { time, title, url }, latestTimestamp, isDryRun: dryRun });
    },
  });
}
