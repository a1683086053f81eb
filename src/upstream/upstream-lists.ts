/** Fetches the lists of a server, once per run. */
import { pathOf } from '../client/http.ts';
import { type AppError, isAppError } from '../model/app-error.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import { parseReceived, type UpstreamServer } from './connection/upstream-server.ts';
import {
  type ParsedList,
  parseList,
  parseListedPlugin,
  parseSoftware,
  type UpstreamPlugin,
} from './parse-lists.ts';

/** List by id, with its URL. */
interface UpstreamList<T> {
  readonly url: string;
  readonly elements: ParsedList<T>;
}

/** Lists of one run. */
export interface UpstreamLists {
  /** Software list of `/api/v2` if the server has that; empty if the server has no list. */
  readonly software: UpstreamList<SoftwareFields>;
  /** True if the server has `/api/v2`, and so may have plugin archives. */
  readonly hasArchives: boolean;
  /** Returns the plugin list, fetched at the first call; empty if the server has none. */
  readonly plugins: () => Promise<UpstreamList<UpstreamPlugin>>;
}

/**
 * Fetches the software list. An invalid response or a refusal at `/api/v2/software` means that the server has
 * no `/api/v2`.
 * @param onInvalid is called if the list of `/api/v1` is malformed or refused; the list then counts as empty.
 * @throws AppError `unavailable` if the server does not answer: its capabilities are then unknown.
 */
export async function fetchLists(
  server: UpstreamServer,
  onInvalid: (error: AppError) => void,
): Promise<UpstreamLists> {
  const fetchSoftware = (path: string, onError: (error: AppError) => void) =>
    fetchList(server, path, parseSoftware).catch((error) => {
      if (!isAppError(error, 'invalid')) throw error;
      onError(error);
      return { url: error.place ?? '', elements: new Map() };
    });
  const second = await fetchSoftware('/api/v2/software', () => {});
  const hasArchives = second.elements.size > 0;
  let plugins: Promise<UpstreamList<UpstreamPlugin>> | undefined;
  return {
    hasArchives,
    software: hasArchives ? second : await fetchSoftware(pathOf('software'), onInvalid),
    plugins() {
      plugins ??= fetchList(server, pathOf('plugins'), parseListedPlugin);
      return plugins;
    },
  };
}

/**
 * Parses an element; undefined if the list lacks it.
 * @throws AppError if the element breaks a rule.
 */
export function elementOf<T>({ url, elements }: UpstreamList<T>, id: number): T | undefined {
  return parseReceived({ url, json: '' }, () => elements.get(id)?.());
}

async function fetchList<T>(
  server: UpstreamServer,
  path: string,
  parse: (element: unknown, name: string) => T,
): Promise<UpstreamList<T>> {
  const body = await server.get(path);
  const elements = body.json.length === 0 ? new Map() : parseReceived(body, (json) => parseList(json, parse));
  return { url: body.url, elements };
}
