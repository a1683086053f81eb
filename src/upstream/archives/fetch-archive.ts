/** Fetches a plugin from a server with `/api/v2`, by its archive. */
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { SoftwareFields } from '../../model/metrics-record.ts';
import type { UpstreamArchive, UpstreamServer } from '../connection/upstream-server.ts';
import { addLeftOut, type LeavingOut } from '../leaving-out.ts';
import type { ReceivedPlugin } from '../received-plugin.ts';
import { elementOf, type UpstreamLists } from '../upstream-lists.ts';
import { ArchiveWindow } from './archive-window.ts';
import { copyArchive } from './copy-archive.ts';
import { loadStoredCharts } from './stored-past.ts';
import { type ArchiveSurvey, type RecordBatches, surveyArchive } from './survey-archive.ts';

/**
 * Reads the records of an archive, each line of it checked by the rules of an import, and throws AppError `invalid` placed at a line. The
 * command line hands it in: the rooms of archives and of other servers do not know each other.
 */
export type ReadArchive = (archive: {
  /** Its name in places. */
  readonly name: string;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}) => RecordBatches;

/** Options of {@link fetchArchive}. */
interface ArchiveOptions extends LeavingOut {
  readonly server: UpstreamServer;
  readonly lists: UpstreamLists;
  readonly readArchive: ReadArchive;
  /** The store to fill; undefined if it does not exist yet. */
  readonly stored: MetricsReader | undefined;
  /** The most points of a line, and times of a history, that a chart without any gets; undefined for all. */
  readonly maxElements: number | undefined;
  readonly trimsLeadingZeros: boolean;
  /** The time that the history of this visit has; undefined to keep none. */
  readonly historyAt: number | undefined;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** An archive that was read once, with the time from which on it was requested. */
interface SurveyedArchive {
  readonly archive: UpstreamArchive;
  readonly survey: ArchiveSurvey;
  readonly since: number;
  /** The element of its software in the software list. */
  readonly listedSoftware: SoftwareFields | undefined;
}

/**
 * Fetches a plugin with everything that the store does not have yet. Most often that is one request.
 * @returns undefined if the server has no archives.
 * @throws AppError placed at a URL: `not_found` if the server does not have the plugin, `unavailable` if it does not answer,
 *   `invalid` for an archive that breaks a rule.
 */
export async function fetchArchive(
  options: ArchiveOptions,
  pluginId: number,
): Promise<ReceivedPlugin | undefined> {
  const found = await findWhole(options, pluginId);
  if (found === undefined) return undefined;
  const { archive, survey, since, listedSoftware } = found;
  const { plugin, software } = survey;
  addLeftOut(options.leftOut, survey.leftOut);
  const { id, name, owner, isGlobal } = plugin;
  return {
    place: archive.url,
    fields: { id, name, owner, isGlobal, software },
    listedSoftware,
    source: (chosen, leavingOut) => ({
      records: () =>
        copyArchive(recordsOf(options, archive), {
          ...options,
          ...leavingOut,
          survey,
          software: chosen,
          since,
        }),
    }),
    [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
  };
}

/** The most requests for one archive; the last asks for all of it. */
const maxRequests = 3;

/** Requests archives until one has all that the store can be missing. */
async function findWhole(options: ArchiveOptions, pluginId: number): Promise<SurveyedArchive | undefined> {
  const { server, lists } = options;
  const storedCharts = await loadStoredCharts(options.stored, pluginId);
  const window = new ArchiveWindow({ ...options, storedCharts }, pluginId);
  let since = await window.findStart();
  for (let count = 1; ; count++) {
    const archive = await server.findArchive(pluginId, since);
    if (archive === undefined) return undefined;
    try {
      const survey = await surveyArchive(recordsOf(options, archive), pluginId, options);
      const earlier = await window.findEarlier(since, survey);
      if (earlier === since) {
        const listedSoftware = elementOf(await lists.software(server), survey.software.id);
        return { archive, survey, since, listedSoftware };
      }
      since = count < maxRequests - 1 ? earlier : 0;
    } catch (error) {
      await archive[Symbol.asyncDispose]();
      throw error;
    }
    await archive[Symbol.asyncDispose]();
  }
}

function recordsOf({ readArchive }: ArchiveOptions, { url, blocks }: UpstreamArchive): RecordBatches {
  return readArchive({ name: url, blocks });
}
