/** Finds the name and url of the software of a plugin. */
import { AppError } from '../model/app-error.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import type { UpstreamServer } from './connection/upstream-server.ts';
import type { SoftwareReference } from './parse-software.ts';
import { elementOf, type UpstreamLists } from './upstream-lists.ts';

/** A software with the name and url that the user gives it. */
export type GivenSoftware = Required<SoftwareReference>;

/** Sources of names and urls other than the plugin. */
export interface SoftwareTellers {
  readonly lists: UpstreamLists;
  readonly server: UpstreamServer;
  /** The store to fill; undefined where there is none yet. */
  readonly stored: MetricsReader | undefined;
  readonly givenSoftware: readonly GivenSoftware[];
}

/** A software as its plugin tells it. */
export interface SoftwareQuestion {
  readonly pluginId: number;
  readonly software: SoftwareReference;
}

/** A software, as far as it is told. */
export interface FoundSoftware {
  readonly software: SoftwareReference;
  /** Its element of a software list. */
  readonly listed: SoftwareFields | undefined;
}

/**
 * Looks up the software of a plugin in the software list. One that is known by its id alone, and that the store does not
 * have, is looked up in the plugin list and in the software list of `/api/v2`, and is otherwise taken from what the user says.
 * @throws AppError for an element that cannot be taken, and for a list that does not come though it may another time.
 */
export async function findSoftware(
  tellers: SoftwareTellers,
  question: SoftwareQuestion,
): Promise<FoundSoftware> {
  const { lists, server, stored, givenSoftware } = tellers;
  const { software } = question;
  const { id } = software;
  const listed = elementOf(await lists.software(server), id);
  if (listed !== undefined || isNamed(software) || (await hasSoftware(stored, id)))
    return { software, listed };
  const given = givenSoftware.find((one) => one.id === id);
  for (const ask of [askPluginList, askSecondList]) {
    try {
      const found = await ask(tellers, question);
      if (found !== undefined) return found;
    } catch (error) {
      // Few servers have the second list, and some answer with a page: that is final. A failure that may pass is not.
      const mayCome = error instanceof AppError && error.code === 'unavailable';
      if (!(error instanceof AppError) || (mayCome && given === undefined)) throw error;
    }
  }
  return { software: given ?? software, listed: undefined };
}

async function askPluginList({ lists, server }: SoftwareTellers, { pluginId, software }: SoftwareQuestion) {
  const told = elementOf(await lists.plugins(server), pluginId)?.software;
  return told?.id === software.id && isNamed(told) ? { software: told, listed: undefined } : undefined;
}

async function askSecondList({ lists, server }: SoftwareTellers, { software }: SoftwareQuestion) {
  const listed = elementOf(await lists.secondSoftware(server), software.id);
  return listed === undefined ? undefined : { software, listed };
}

function isNamed({ name, url }: SoftwareReference): boolean {
  return name !== undefined && url !== undefined;
}

async function hasSoftware(stored: MetricsReader | undefined, id: number): Promise<boolean> {
  const software = (await stored?.listSoftware()) ?? [];
  return software.some((one) => one.id === id);
}
