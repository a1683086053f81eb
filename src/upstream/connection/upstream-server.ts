/** Sends requests to another server of the interface, and turns its failures into errors of this program. */

import { PluginMetricsHttp, queryOf, v2PathOf } from '../../client/http.ts';
import { PluginMetricsError } from '../../client/plugin-metrics-error.ts';
import { mayPass } from '../../client/retry.ts';
import { AppError, placed, unknownPlugin } from '../../model/app-error.ts';
import { type FetchOptions, type PoliteFetch, politeFetch } from './polite-fetch.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** Options of an {@link UpstreamServer}. */
interface UpstreamOptions extends FetchOptions {
  /** The result of `parseUpstreamAddress`. */
  readonly address: string;
  /** Aborts all requests, which reject with its reason. */
  readonly signal: AbortSignal;
}

/** The answer of a server. */
export interface UpstreamBody {
  /** The place of the answer in messages. */
  readonly url: string;
  /** The unchanged body, which should be JSON; empty for a 404. */
  readonly json: string;
}

/** An archive that a server has sent. Disposing of it frees what it takes. */
interface UpstreamArchive extends AsyncDisposable {
  /** The place of the archive in messages. */
  readonly url: string;
  /** Reads its bytes. */
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

/** The most retries of a failed request. */
const retries = 4;

/** A server of the interface. */
export class UpstreamServer {
  readonly #http: PluginMetricsHttp;
  readonly #fetch: PoliteFetch;
  readonly #signal: AbortSignal;

  constructor(options: UpstreamOptions) {
    const { address, signal, clock } = options;
    this.#fetch = politeFetch(options);
    this.#signal = signal;
    this.#http = new PluginMetricsHttp(address, { fetch: this.#fetch.fetch, retries, clock });
  }

  /** The number of requests sent. */
  get requestCount(): number {
    return this.#fetch.requestCount();
  }

  /**
   * Sends a request. A 404 gives an empty body.
   * @param path after the address, without a slash at its end.
   * @param maxElements for a line, the number of latest points.
   * @throws AppError placed at the URL: `unavailable` if the server did not answer, `invalid` if it refused. Rejects with the
   *   reason of the signal when that is aborted.
   */
  async get(path: string, maxElements?: number): Promise<UpstreamBody> {
    try {
      const { url, text } = await this.#http.get(path, {
        query: queryOf({ maxElements }),
        signal: this.#signal,
      });
      return { url, json: text };
    } catch (error) {
      if (!(error instanceof PluginMetricsError)) throw error;
      if (!error.isNotFound) throw upstreamFault(error);
      return { url: error.url, json: '' };
    }
  }

  /**
   * Requests the archive of a plugin.
   * @param since the time from which points and histories are wanted; 0 for all of them.
   * @returns undefined if the server has no archives.
   * @throws AppError as {@link get}, and `not_found` if the server does not have the plugin.
   */
  async findArchive(pluginId: number, since: number): Promise<UpstreamArchive | undefined> {
    await using stack = new AsyncDisposableStack();
    const file = stack.use(await openTemporaryFile());
    try {
      const { url } = await this.#http.get(v2PathOf('plugins', pluginId, 'archive'), {
        query: since === 0 ? '' : queryOf({ since: new Date(since) }),
        signal: this.#signal,
        fetch: this.#fetch.fetchInto(file),
      });
      if ((await file.stat()).size === 0) return undefined;
      const kept = stack.move();
      return {
        url,
        blocks: () => file.createReadStream({ start: 0, autoClose: false }),
        [Symbol.asyncDispose]: () => kept.disposeAsync(),
      };
    } catch (error) {
      if (!(error instanceof PluginMetricsError)) throw error;
      if (isUnknownPlugin(error)) throw unknownPlugin(pluginId).at(error.url);
      if (error.status !== undefined && withoutArchives.includes(error.status)) return undefined;
      throw upstreamFault(error);
    }
  }
}

/** The statuses of a server that has no archives, or offers none here. */
const withoutArchives: readonly number[] = [403, 404, 405, 410];

/** The kind of error that a server of this program names where it has no such plugin. */
function isUnknownPlugin({ problem }: PluginMetricsError): boolean {
  return String(problem?.type).endsWith('/unknown-plugin');
}

function upstreamFault(error: PluginMetricsError): AppError {
  const { url, status, cause } = error;
  const message = error.message.replace(`${url}: `, '');
  // A response that this program refuses has no status either.
  const isAway = !(cause instanceof AppError) && mayPass(status);
  return new AppError(isAway ? 'unavailable' : 'invalid', message, { place: url, cause: error });
}

/** Parses an answer; errors are placed at its URL. */
export function parseReceived<T>({ json, url }: UpstreamBody, read: (json: string) => T): T {
  try {
    return read(json);
  } catch (error) {
    throw placed(error, url);
  }
}
