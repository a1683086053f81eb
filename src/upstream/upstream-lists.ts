/** The lists of a server, asked for once in each run. */
import { pathOf } from '../client/http.ts';
import { AppError } from '../model/app-error.ts';
import type { SoftwareFields } from '../model/metrics-record.ts';
import { parseReceived, type UpstreamServer } from './connection/upstream-server.ts';
import { type ListedPlugin, parsePluginListBody } from './parse-plugins.ts';
import { parseSoftwareListBody } from './parse-software.ts';

/** A list by id, with the place of its elements. An element that cannot be taken is an error. */
export interface UpstreamList<T> {
  readonly url: string;
  readonly elements: ReadonlyMap<number, T | AppError>;
}

/**
 * The element with this id; undefined where the list has none.
 * @throws AppError for an element that cannot be taken.
 */
export function elementOf<T>({ url, elements }: UpstreamList<T>, id: number): T | undefined {
  const element = elements.get(id);
  if (element instanceof AppError) throw element.at(url);
  return element;
}

/** A list that is asked for when it is needed first. */
class AskedList<T> {
  readonly #path: string;
  readonly #read: (json: Uint8Array) => ReadonlyMap<number, T | AppError>;
  #list: Promise<UpstreamList<T>> | undefined;

  constructor(path: string, read: (json: Uint8Array) => ReadonlyMap<number, T | AppError>) {
    this.#path = path;
    this.#read = read;
  }

  get(server: UpstreamServer): Promise<UpstreamList<T>> {
    this.#list ??= this.#ask(server);
    return this.#list;
  }

  /** Makes it a list without elements. */
  giveUp(url: string): void {
    this.#list = Promise.resolve({ url, elements: new Map() });
  }

  async #ask(server: UpstreamServer): Promise<UpstreamList<T>> {
    const body = await server.get({ path: this.#path });
    const elements = body.json.length === 0 ? new Map() : parseReceived(body, this.#read);
    return { url: body.url, elements };
  }
}

/** All lists of one run. */
export class UpstreamLists {
  readonly #plugins: AskedList<ListedPlugin>;
  readonly #software = new AskedList<SoftwareFields>(pathOf('software'), parseSoftwareListBody);
  readonly #secondSoftware = new AskedList<SoftwareFields>('/api/v2/software', parseSoftwareListBody);

  /** @param isWanted which plugins are of interest. */
  constructor(isWanted: (id: number) => boolean) {
    this.#plugins = new AskedList(pathOf('plugins'), (json) => parsePluginListBody(json, isWanted));
  }

  /** The plugin list; empty where the server has none. */
  plugins(server: UpstreamServer): Promise<UpstreamList<ListedPlugin>> {
    return this.#plugins.get(server);
  }

  /** The software list; empty where the server has none. */
  software(server: UpstreamServer): Promise<UpstreamList<SoftwareFields>> {
    return this.#software.get(server);
  }

  /** Treats the server as one that has no software list. */
  giveUpSoftware(url: string): void {
    this.#software.giveUp(url);
  }

  /** The software list of `/api/v2`; empty where the server has none. */
  secondSoftware(server: UpstreamServer): Promise<UpstreamList<SoftwareFields>> {
    return this.#secondSoftware.get(server);
  }
}
