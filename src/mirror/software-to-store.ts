/** Chooses the name, url and global plugin of a software from the source and the store. */
import { AppError } from '../model/app-error.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import type { Software } from '../model/software.ts';
import type { GivenSoftware } from '../upstream/parse-software.ts';
import type { SoftwareUser } from '../upstream/received-plugin.ts';

/** Statements about a software. */
interface SoftwareEvidence {
  /** Its element of the software list. */
  readonly listed: SoftwareFields | undefined;
  readonly stored: Software | undefined;
  /** Its name and url from the user. */
  readonly given: GivenSoftware | undefined;
  /** The plugin that needs it. */
  readonly plugin: SoftwareUser;
  /** The URL of the plugin, for messages. */
  readonly place: string;
  /** Tells if the store has a plugin. */
  readonly hasPlugin: (id: number) => boolean;
}

/**
 * Takes the software from the list, else from the plugin, else from the store, else from the user.
 * @throws AppError `invalid` if none of them has its name and url.
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
  // Without a list, the global plugin of a software is the plugin that says so.
  const unlisted = plugin.isGlobal ? plugin.id : (stored?.globalPlugin?.id ?? null);
  const globalPluginId = listed === undefined ? unlisted : listed.globalPluginId;
  const isThere = (one: number) => one === plugin.id || hasPlugin(one);
  return withStoredGlobal({ id, name, url, globalPluginId }, isThere);
}

/** Leaves out a global plugin that the store does not have: it may come later. */
export function withStoredGlobal(
  software: SoftwareFields,
  hasPlugin: (id: number) => boolean,
): SoftwareFields {
  const { globalPluginId } = software;
  return globalPluginId === null || hasPlugin(globalPluginId)
    ? software
    : { ...software, globalPluginId: null };
}
