/** `add`: adds one thing to a store that exists. */
import { quote } from '../../model/app-error.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { Store } from '../../model/store.ts';
import { printMessage, printResult } from '../output.ts';

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
  const { name } = await getPlugin(store, pluginId);
  await using writer = await store.openWriter({ latestTimestamp });
  const place = `plugin ${pluginId}`;
  await writer.write([
    { kind: 'event', pluginId, event, place },
    { kind: 'end', place },
  ]);
  if (!isDryRun) await writer.commit();
  const time = new Date(event.time).toISOString();
  printResult(time);
  const verb = isDryRun ? 'would add' : 'added';
  printMessage(
    `${verb} the event ${quote(event.title)} at ${time} to plugin ${pluginId}, ${quote(name)}, in ${store.name}`,
  );
}

/** Gets the plugin. A writer would make a store that is missing; a reader refuses it. */
async function getPlugin(store: Store, pluginId: number) {
  await using reader = await store.openReader();
  return await reader.getPlugin(pluginId);
}
