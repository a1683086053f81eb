/** Fetches the lists of a server, once in each run. */
import { pathOf } from '../client/http.ts';
import { AppError } from '../model/app-error.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import { parseReceived, type UpstreamServer } from './connection/upstream-server.ts';
import { type ListedPlugin, parsePluginListBody } from './parse-plugins.ts';
import { parseSoftwareListBody } from './parse-software.ts';

/** A list by id, with its URL. An element that breaks a rule is an error. */
interface UpstreamList<T> {
  readonly url: string;
  readonly elements: ReadonlyMap<number, T | AppError>;
}

/**
 * Finds an element; undefined if the list does not have it.
 * @throws AppError for an element that breaks a rule.
 */
export function elementOf<T>({ url, elements }: UpstreamList<T>, id: number): T | undefined {
  const element = elements.get(id);
  if (element instanceof AppError) throw element.at(url);
  return element;
}

/** A list that is fetched when it is first needed. */
class LazyList<T> {
  readonly #path: string;
  readonly #read: (json: string) => ReadonlyMap<number, T | AppError>;
  #list: Promise<UpstreamList<T>> | undefined;

  constructor(path: string, read: (json: string) => ReadonlyMap<number, T | AppError>) {
    this.#path = path;
    this.#read = read;
  }

  get(server: UpstreamServer): Promise<UpstreamList<T>> {
    this.#list ??= this.#ask(server);
    return this.#list;
  }

  /** Makes it an empty list. */
  giveUp(url: string): void {
    this.#list = Promise.resolve({ url, elements: new Map() });
  }

  async #ask(server: UpstreamServer): Promise<UpstreamList<T>> {
    const body = await server.get(this.#path);
    const elements = body.json.length === 0 ? new Map() : parseReceived(body, this.#read);
    return { url: body.url, elements };
  }
}

/** The lists of one run. */
export class UpstreamLists {
  readonly #plugins: LazyList<ListedPlugin>;
  readonly #software = new LazyList<SoftwareFields>(pathOf('software'), parseSoftwareListBody);
  #hasNoArchives = false;
  readonly #secondSoftware = new LazyList<SoftwareFields>('/api/v2/software', parseSoftwareListBody);

  /** @param isWanted selects the plugins to parse. */
  constructor(isWanted: (id: number) => boolean) {
    this.#plugins = new LazyList(pathOf('plugins'), (json) => parsePluginListBody(json, isWanted));
  }

  /** Gets the plugin list; empty if the server has none. */
  plugins(server: UpstreamServer): Promise<UpstreamList<ListedPlugin>> {
    return this.#plugins.get(server);
  }

  /**
   * True if the server has `/api/v2`, and so may have archives of plugins; a refusal, or something else than a list of software, means that
   * it has none.
   * @throws AppError `unavailable` if the server does not answer the question: then nobody knows.
   */
  async hasArchives(server: UpstreamServer): Promise<boolean> {
    return !this.#hasNoArchives && (await this.#hasSecond(server));
  }

  async #hasSecond(server: UpstreamServer): Promise<boolean> {
    try {
      return (await this.#secondSoftware.get(server)).elements.size > 0;
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid') return false;
      throw error;
    }
  }

  /** Treats the server as one that has no archives. */
  giveUpArchives(): void {
    this.#hasNoArchives = true;
  }

  /** Gets the software list, of `/api/v2` if the server has that; empty if the server has none. */
  async software(server: UpstreamServer): Promise<UpstreamList<SoftwareFields>> {
    return (await this.#hasSecond(server)) ? this.#secondSoftware.get(server) : this.#software.get(server);
  }

  /** Treats the server as one that has no software list. */
  giveUpSoftware(url: string): void {
    this.#software.giveUp(url);
  }
}
