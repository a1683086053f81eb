/** Another server of the interface: its bodies as bytes, and its failures as errors of the program. */

import { PluginMetricsHttp } from '../../client/http.ts';
import { PluginMetricsError } from '../../client/plugin-metrics-error.ts';
import { type Clock, mayPass } from '../../client/retry.ts';
import { AppError } from '../../model/app-error.ts';
import type { KeptBodies } from './kept-bodies.ts';
import { type FetchOptions, type PoliteFetch, politeFetch } from './polite-fetch.ts';

/** How a server is asked. */
export interface UpstreamOptions extends FetchOptions {
  /** As `parseUpstreamAddress` gives it. */
  readonly address: string;
  /** Ends everything: what is under way rejects with its reason. */
  readonly signal: AbortSignal;
  /** Bodies of earlier requests, which are asked for with their entity tags. */
  readonly bodies: KeptBodies;
  readonly clock?: Clock;
}

/** What a server has answered. */
export interface UpstreamBody {
  /** The place of the answer in messages. */
  readonly url: string;
  /** JSON to the letter, if it is JSON at all; empty where the server said that there is nothing. */
  readonly json: Uint8Array;
}

/** One request. */
export interface UpstreamQuestion {
  /** Below the address, without a slash at its end. */
  readonly path: string;
  /** Of a line, how many of its latest points. */
  readonly maxElements?: number;
  /** True if no later visit asks the same: the body is not kept. */
  readonly isOnce?: boolean;
}

/** How often a failed request is sent again. */
const retries = 4;

/** A server that can be asked. */
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

  /** How many requests have been sent. */
  get requestCount(): number {
    return this.#fetch.requestCount();
  }

  /**
   * Asks, with the entity tag of the kept body: 304 answers with that. 404 is an answer: an empty body.
   * @throws AppError placed at the URL: `unavailable` where the server did not answer, `invalid` for a refusal. Rejects
   *   with the reason of the signal once that is aborted.
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
}

const noBytes = new Uint8Array(0);

function upstreamFault(error: PluginMetricsError): AppError {
  const { url, status, cause } = error;
  const message = error.message.replace(`${url}: `, '');
  // What this program refuses in a response has no status either.
  const isAway = !(cause instanceof AppError) && mayPass(status);
  return new AppError(isAway ? 'unavailable' : 'invalid', message, { place: url, cause: error });
}

/** Runs `read`, whose errors are placed at the answer. */
export function parseReceived<T>(body: UpstreamBody, read: (json: Uint8Array) => T): T {
  try {
    return read(body.json);
  } catch (error) {
    throw error instanceof AppError ? error.at(body.url) : error;
  }
}
