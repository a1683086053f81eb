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
export interface SoftwareSources {
  readonly lists: UpstreamLists;
  readonly server: UpstreamServer;
  /** The store to fill; undefined if it does not exist yet. */
  readonly stored: MetricsReader | undefined;
  readonly givenSoftware: readonly GivenSoftware[];
}

/** A software as its plugin names it. */
interface SoftwareQuestion {
  readonly pluginId: number;
  readonly software: SoftwareReference;
}

/** A software with the fields that were found. */
interface FoundSoftware {
  readonly software: SoftwareReference;
  /** Its element of a software list. */
  readonly listed: SoftwareFields | undefined;
}

/**
 * Looks up the software of a plugin in the software list. If only its id is known, and the store does not have it, the plugin
 * list, the software list of `/api/v2` and the names that the user gave follow.
 * @throws AppError for an element that breaks a rule, and for a list that does not come but may come later.
 */
export async function findSoftware(
  sources: SoftwareSources,
  question: SoftwareQuestion,
): Promise<FoundSoftware> {
  const { lists, server, stored, givenSoftware } = sources;
  const { software } = question;
  const { id } = software;
  const listed = elementOf(await lists.software(server), id);
  if (listed !== undefined || isNamed(software) || (await hasSoftware(stored, id)))
    return { software, listed };
  const given = givenSoftware.find((one) => one.id === id);
  for (const find of [findInPluginList, findInSecondList]) {
    try {
      const found = await find(sources, question);
      if (found !== undefined) return found;
    } catch (error) {
      // Few servers have the second list, and some answer with a page, which counts as no list. A temporary failure does not.
      const mayCome = error instanceof AppError && error.code === 'unavailable';
      if (!(error instanceof AppError) || (mayCome && given === undefined)) throw error;
    }
  }
  return { software: given ?? software, listed: undefined };
}

async function findInPluginList(
  { lists, server }: SoftwareSources,
  { pluginId, software }: SoftwareQuestion,
) {
  const received = elementOf(await lists.plugins(server), pluginId)?.software;
  return received?.id === software.id && isNamed(received)
    ? { software: received, listed: undefined }
    : undefined;
}

async function findInSecondList({ lists, server }: SoftwareSources, { software }: SoftwareQuestion) {
  const listed = elementOf(await lists.secondSoftware(server), software.id);
  return listed === undefined ? undefined : { software, listed };
}

function isNamed({ name, url }: SoftwareReference): boolean {
  return name !== undefined && url !== undefined;
}

async function hasSoftware(stored: MetricsReader | undefined, id: number): Promise<boolean> {
  const software = (await stored?.read((view) => view.listSoftware())) ?? [];
  return software.some((one) => one.id === id);
}
