/** `add event`: adds something that happened to a plugin. */
import { quote } from '../../../model/app-error.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import type { Store } from '../../../model/store.ts';
import { printMessage, printResult } from '../../output.ts';

/** Options of {@link addEvent}. */
interface AddEventOptions {
  readonly event: PluginEvent;
  /** Later times are refused, in Unix milliseconds. */
  readonly latestTimestamp: number;
  readonly isDryRun: boolean;
}

/** Adds an event and prints its time, which together with its title names it. */
export async function addEvent(
  store: Store,
  pluginId: number,
  { event, latestTimestamp, isDryRun }: AddEventOptions,
): Promise<void> {
  const { name, before } = await loadBefore(store, pluginId, event);
  await using writer = await store.openWriter({ latestTimestamp });
  const place = `plugin ${pluginId}`;
  await writer.write([
    { kind: 'event', pluginId, event, place },
    { kind: 'end', place },
  ]);
  if (!isDryRun) await writer.commit();
  const time = new Date(event.time).toISOString();
  printResult(time);
  const what = whatText(before, event, isDryRun ? ['would add', 'would change'] : ['added', 'changed']);
  printMessage(
    `${what} ${quote(event.title)} at ${time} of plugin ${pluginId}, ${quote(name)}, in ${store.name}`,
  );
}

/** Loads the plugin and the event as they are. A writer would make a store that is missing; a reader refuses it. */
async function loadBefore(store: Store, pluginId: number, event: PluginEvent) {
  await using reader = await store.openReader();
  const { name } = await reader.getPlugin(pluginId);
  return { name, before: await findEvent(reader, pluginId, event) };
}

async function findEvent(
  view: MetricsView,
  pluginId: number,
  { time, title }: PluginEvent,
): Promise<PluginEvent | undefined> {
  for await (const batch of view.listEvents(pluginId)) {
    const found = batch.find((event) => event.time === time && event.title === title);
    if (found !== undefined) return found;
  }
  return undefined;
}

function whatText(
  before: PluginEvent | undefined,
  { url }: PluginEvent,
  [add, change]: readonly [add: string, change: string],
): string {
  if (before === undefined) return `${add} the event`;
  return before.url === url ? 'nothing to do: there is the event' : `${change} the address of the event`;
}
