/** `add event`: adds something that happened to a plugin. */
import { quote } from '../../../model/app-error.ts';
import { latestTimestampAt } from '../../../model/future-points.ts';
import { eventProperties, type PluginEvent } from '../../../model/plugin-event.ts';
import { command } from '../../command.ts';
import { parseTime } from '../../date.ts';
import { type CatalogueView, register } from '../../register.ts';
import { allowFutureSetting, changeSettings, matching, parseName, pluginArgument } from '../../settings.ts';

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
