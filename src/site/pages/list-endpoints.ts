/** The pages that list plugins: all of them, those of one software, those of one owner. */

import type { Endpoint, EndpointRequest, Question } from '../../http/endpoint.ts';
import { maxId } from '../../model/identifier.ts';
import type { Directories } from '../directory/directories.ts';
import { loadOnce } from '../load-once.ts';
import { homePath, ownerPath, softwarePath, withQuery } from '../paths.ts';
import { malformedQuery } from '../query-parameter.ts';
import { readState } from '../read-state.ts';
import { pageQuestion } from './page-question.ts';
import { readChoice, readPageNumber, readText } from './query.ts';

const loadPage = loadOnce(() => import('./list-page.ts'));

/** What a list can be sorted by. */
export const listOrders = ['name', 'servers', 'players'] as const;

const directions = ['asc', 'desc'] as const;

/** What of a list is asked for. */
export interface ListQuery {
  /** Blank for all. */
  readonly text: string;
  readonly softwareUrl: string | undefined;
  readonly ownerId: number | undefined;
  /** Undefined: those with the most servers first; of a search, the best matches. */
  readonly sort: (typeof listOrders)[number] | undefined;
  /** Undefined: numbers from the largest on, names from A on. */
  readonly direction: (typeof directions)[number] | undefined;
  /** From 1 on. */
  readonly page: number;
}

/** A list that is asked for, and where it stands. */
export interface ListRequest {
  /** The address without the query. */
  readonly path: string;
  readonly query: ListQuery;
  readonly origin: string;
}

/** The address of a list. */
export function listPath({ path, query }: Pick<ListRequest, 'path' | 'query'>): string {
  const { text, softwareUrl, sort, direction, page } = query;
  return withQuery(path, {
    q: text === '' ? undefined : text,
    software: path === homePath ? softwareUrl : undefined,
    sort,
    dir: direction,
    page: page === 1 ? undefined : String(page),
  });
}

/** `/`, `/software/{softwareUrl}` and `/owner/{ownerId}`: all plugins, those of one software, those of one owner. */
export function listEndpoints(directories: Directories): readonly Endpoint[] {
  return [
    {
      path: homePath,
      ask: (request) => {
        const softwareUrl = readText(request, 'software') || undefined;
        return ask(request, directories, { path: homePath, softwareUrl, ownerId: undefined });
      },
    },
    {
      path: '/software/{softwareUrl}',
      ask: (request) => {
        const { softwareUrl = '' } = request.params;
        const path = softwarePath(encodeURIComponent(softwareUrl));
        return ask(request, directories, { path, softwareUrl, ownerId: undefined });
      },
    },
    {
      path: '/owner/{ownerId}',
      ask: (request) => {
        const ownerId = parseOwnerId(request);
        return ask(request, directories, { path: ownerPath(ownerId), softwareUrl: undefined, ownerId });
      },
    },
  ];
}

function ask(
  request: EndpointRequest,
  directories: Directories,
  { path, softwareUrl, ownerId }: Pick<ListRequest, 'path'> & Pick<ListQuery, 'softwareUrl' | 'ownerId'>,
): Question {
  const { origin } = request;
  const query: ListQuery = {
    text: readText(request, 'q'),
    softwareUrl,
    ownerId,
    sort: readChoice(request, 'sort', { words: listOrders, fallback: undefined }),
    direction: readChoice(request, 'dir', { words: directions, fallback: undefined }),
    page: readPageNumber(request),
  };
  return {
    ...pageQuestion(listPath({ path, query }), origin),
    async *parts(reader, turns) {
      const { listPage } = await loadPage();
      const directory = await readState(reader, (view) => directories.read(view, turns));
      yield await listPage(directory, { path, query, origin }, turns);
    },
  };
}

function parseOwnerId({ params }: EndpointRequest): number {
  const text = params['ownerId'] ?? '';
  const id = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  throw malformedQuery('the id of an owner', `decimal digits, at most ${maxId}`, text);
}
