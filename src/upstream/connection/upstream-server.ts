/** Sends requests to another server of the interface, and turns its failures into errors of this program. */

import { PluginMetricsHttp, queryOf, v2PathOf } from '../../client/http.ts';
import { PluginMetricsError } from '../../client/plugin-metrics-error.ts';
import { type Clock, mayPass } from '../../client/retry.ts';
import { AppError, unknownPlugin } from '../../model/app-error.ts';
import { HeldBody } from './held-body.ts';
import type { KeptBodies } from './kept-bodies.ts';
import { type FetchOptions, type PoliteFetch, politeFetch } from './polite-fetch.ts';

/** Options of an {@link UpstreamServer}. */
interface UpstreamOptions extends FetchOptions {
  /** The result of `parseUpstreamAddress`. */
  readonly address: string;
  /** Aborts all requests, which reject with its reason. */
  readonly signal: AbortSignal;
  /** Bodies of earlier responses, for conditional requests. */
  readonly bodies: KeptBodies;
  readonly clock?: Clock;
}

/** The answer of a server. */
export interface UpstreamBody {
  /** The place of the answer in messages. */
  readonly url: string;
  /** The unchanged body, which should be JSON; empty for a 404. */
  readonly json: Uint8Array;
}

/** An archive that a server has sent. Disposing of it frees what it takes. */
export interface UpstreamArchive extends AsyncDisposable {
  /** The place of the archive in messages. */
  readonly url: string;
  /** Reads its bytes; they may be read several times. */
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

/** A request. */
interface UpstreamQuestion {
  /** The path after the address, without a slash at its end. */
  readonly path: string;
  /** For a line, the number of latest points. */
  readonly maxElements?: number;
  /** True if no later run sends the same request, so that the body is not kept. */
  readonly isOnce?: boolean;
}

/** The most retries of a failed request. */
const retries = 4;

/** A server of the interface. */
export class UpstreamServer {
  readonly #http: PluginMetricsHttp;
  readonly #fetch: PoliteFetch;
  readonly #signal: AbortSignal;
  readonly #bodies: KeptBodies;

  constructor(options: UpstreamOptions) {
    const { address, signal, clock, bodies } = options;
    this.#fetch = politeFetch(options);
    this.#signal = signal;
    this.#bodies = bodies;
    this.#http = new PluginMetricsHttp(address, {
      fetch: this.#fetch.fetch,
      retries,
      ...(clock === undefined ? {} : { clock }),
    });
  }

  /** The number of requests sent. */
  get requestCount(): number {
    return this.#fetch.requestCount();
  }

  /**
   * Sends a request, conditional if a body is kept, which is then the answer to a 304. A 404 gives an empty body.
   * @throws AppError placed at the URL: `unavailable` if the server did not answer, `invalid` if it refused. Rejects with the
   *   reason of the signal when that is aborted.
   */
  async get({ path, maxElements, isOnce = false }: UpstreamQuestion): Promise<UpstreamBody> {
    const query = maxElements === undefined ? '' : `?maxElements=${maxElements}`;
    const kept = this.#bodies.find(path, query);
    try {
      const options = { query, signal: this.#signal, ifNoneMatch: kept?.entityTag };
      const { url, text, entityTag, isNotModified } = await this.#http.get(path, options);
      if (isNotModified && kept !== undefined) return { url, json: kept.json };
      const json = Buffer.from(text);
      if (isOnce) this.#bodies.drop(path);
      else this.#bodies.keep(path, { query, entityTag, json });
      return { url, json };
    } catch (error) {
      if (!(error instanceof PluginMetricsError)) throw error;
      if (!error.isNotFound) throw upstreamFault(error);
      this.#bodies.drop(path);
      return { url: error.url, json: noBytes };
    }
  }

  /**
   * Requests the archive of a plugin, conditional if the same one is kept.
   * @param since the time from which points and histories are wanted; 0 for all of them.
   * @returns undefined if the server has no archives.
   * @throws AppError as {@link get}, and `not_found` if the server does not have the plugin.
   */
  async findArchive(pluginId: number, since: number): Promise<UpstreamArchive | undefined> {
    const path = v2PathOf('plugins', pluginId, 'archive');
    const query = since === 0 ? '' : queryOf({ since });
    const kept = this.#bodies.find(path, query);
    const body = new HeldBody();
    try {
      const options = { query, signal: this.#signal, ifNoneMatch: kept?.entityTag };
      const answer = await this.#http.get(path, { ...options, fetch: this.#fetch.fetchInto(body) });
      const { url, entityTag, isNotModified } = answer;
      if (isNotModified && kept !== undefined) await body.add(kept.json);
      if (body.sizeBytes === 0) return undefined;
      const json = since === 0 ? undefined : body.findSmall();
      // The whole archive is asked for only once.
      if (json === undefined) this.#bodies.drop(path);
      else this.#bodies.keep(path, { query, entityTag, json });
      return { url, blocks: () => body.blocks(), [Symbol.asyncDispose]: () => body[Symbol.asyncDispose]() };
    } catch (error) {
      await body[Symbol.asyncDispose]();
      if (!(error instanceof PluginMetricsError)) throw error;
      this.#bodies.drop(path);
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
  const type: unknown = problem?.type;
  return typeof type === 'string' && type.endsWith('/unknown-plugin');
}

const noBytes = new Uint8Array(0);

function upstreamFault(error: PluginMetricsError): AppError {
  const { url, status, cause } = error;
  const message = error.message.replace(`${url}: `, '');
  // A response that this program refuses has no status either.
  const isAway = !(cause instanceof AppError) && mayPass(status);
  return new AppError(isAway ? 'unavailable' : 'invalid', message, { place: url, cause: error });
}

/** Parses an answer; errors are placed at its URL. */
export function parseReceived<T>(body: UpstreamBody, read: (json: string) => T): T {
  try {
    return read(String(Buffer.from(body.json.buffer, body.json.byteOffset, body.json.byteLength)));
  } catch (error) {
    throw error instanceof AppError ? error.at(body.url) : error;
  }
}
