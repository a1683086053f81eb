/** Chooses the name, `url` and global plugin of a software from the source, the store and the user. */
import { AppError } from '../model/app-error.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import type { Software } from '../model/software.ts';
import type { GivenSoftware } from '../upstream/parse-software.ts';
import type { SoftwareUser } from '../upstream/received-plugin.ts';

/** Known facts about a software, by origin. */
interface SoftwareEvidence {
  /** Its element of the software list. */
  readonly listed: SoftwareFields | undefined;
  readonly stored: Software | undefined;
  /** Name and `url` given by the user. */
  readonly given: GivenSoftware | undefined;
  /** The plugin that refers to the software. */
  readonly plugin: SoftwareUser;
  /** URL of the plugin, for messages. */
  readonly place: string;
  /** Returns true if the store has the plugin. */
  readonly hasPlugin: (id: number) => boolean;
}

/**
 * Takes the software from the list, or else from the plugin, the store or the user, in this order.
 * @throws AppError `invalid` if no origin has both the name and the `url`.
 */
export function softwareToStore({
  listed,
  stored,
  given,
  plugin,
  place,
  hasPlugin,
}: SoftwareEvidence): SoftwareFields {
  const { id } = plugin.software;
  const name = listed?.name ?? plugin.software.name ?? stored?.name ?? given?.name;
  const url = listed?.url ?? plugin.software.url ?? stored?.url ?? given?.url;
  if (name === undefined || url === undefined)
    throw new AppError(
      'invalid',
      `the software ${id} has no name and url: neither the plugin nor /api/v1/software nor /api/v2/software names them; --software ${id}=URL:NAME does`,
      { place },
    );
  // Without a list, a plugin that calls itself global is the global plugin of its software.
  const unlisted = plugin.isGlobal ? plugin.id : (stored?.globalPlugin?.id ?? null);
  const globalPluginId = listed === undefined ? unlisted : listed.globalPluginId;
  const isThere = (one: number) => one === plugin.id || hasPlugin(one);
  return withStoredGlobal({ id, name, url, globalPluginId }, isThere);
}

/** Removes a global plugin that the store does not have yet. */
export function withStoredGlobal(
  software: SoftwareFields,
  hasPlugin: (id: number) => boolean,
): SoftwareFields {
  const { globalPluginId } = software;
  return globalPluginId === null || hasPlugin(globalPluginId)
    ? software
    : { ...software, globalPluginId: null };
}
