/** Sends requests to another server of the interface, and converts failures into AppError. */

import { PluginMetricsHttp, queryOf, v2PathOf } from '../../client/http.ts';
import { PluginMetricsError } from '../../client/plugin-metrics-error.ts';
import { mayPass } from '../../client/retry.ts';
import { AppError, placed, unknownPlugin } from '../../model/app-error.ts';
import { type FetchOptions, type PoliteFetch, politeFetch } from './polite-fetch.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** Options of an {@link UpstreamServer}. */
interface UpstreamOptions extends FetchOptions {
  /** Address from `parseUpstreamAddress`. */
  readonly address: string;
  /** Aborts all requests; they reject with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** Response of a server. */
export interface UpstreamBody {
  /** URL of the response, as the place in messages. */
  readonly url: string;
  /** The unchanged body, expected to be JSON; empty for a 404. */
  readonly json: string;
}

/** An archive from a server. Disposing of it frees its file. */
interface UpstreamArchive extends AsyncDisposable {
  /** URL of the archive, as the place in messages. */
  readonly url: string;
  /** Reads the bytes of the archive. */
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

/** Maximum number of retries of a failed request. */
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

  /** Number of requests sent. */
  get requestCount(): number {
    return this.#fetch.requestCount();
  }

  /**
   * Sends a request. A 404 returns an empty body.
   * @param path path after the address, without a trailing slash.
   * @param maxElements number of latest points, for a line.
   * @throws AppError placed at the URL: `unavailable` if the server did not answer, `invalid` if it refused.
   * Rejects with the reason of the signal if it is aborted.
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
   * @param since earliest time of points and histories; 0 for all.
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

/** Statuses that mean: no archives here. */
const withoutArchives: readonly number[] = [403, 404, 405, 410];

/** True if a server of this program reports that the plugin does not exist. */
function isUnknownPlugin({ problem }: PluginMetricsError): boolean {
  return String(problem?.type).endsWith('/unknown-plugin');
}

function upstreamFault(error: PluginMetricsError): AppError {
  const { url, status, cause } = error;
  const message = error.message.replace(`${url}: `, '');
  // Responses that this program refuses have no status either, but are permanent failures.
  const isAway = !(cause instanceof AppError) && mayPass(status);
  return new AppError(isAway ? 'unavailable' : 'invalid', message, { place: url, cause: error });
}

/** Parses a response; errors are placed at its URL. */
export function parseReceived<T>({ json, url }: UpstreamBody, read: (json: string) => T): T {
  try {
    return read(json);
  } catch (error) {
    throw placed(error, url);
  }
}
