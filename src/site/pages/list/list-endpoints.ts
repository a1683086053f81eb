/** The pages that list plugins: all of them, those of one software, those of one owner. */

import type { Body, Endpoint, EndpointRequest } from '../../../http/endpoint.ts';
import { malformedQuery } from '../../../http/query-parameter.ts';
import { maxId } from '../../../model/identifier.ts';
import { homePath, ownerPath, softwarePath } from '../../address/paths.ts';
import { parseSearch } from '../../address/query-parameters.ts';
import { loadOnce } from '../../load-once.ts';
import { pageQuestion } from '../page-question.ts';
import { type ListQuery, type ListRequest, listPath, parseListQuery } from './list-query.ts';

const loadPage = loadOnce(() => import('./list-page.ts'));

/** `/`, `/software/{softwareUrl}` and `/owner/{ownerId}`: all plugins, those of one software, those of one owner. */
export function listEndpoints(now: () => number): readonly Endpoint[] {
  return [
    {
      path: homePath,
      ask: (request) => {
        const softwareUrl = parseSearch(request.searchParams, 'software') || undefined;
        return ask(request, now, { path: homePath, softwareUrl, ownerId: undefined });
      },
    },
    {
      path: '/software/{softwareUrl}',
      ask: (request) => {
        const { softwareUrl = '' } = request.params;
        const path = softwarePath(encodeURIComponent(softwareUrl));
        return ask(request, now, { path, softwareUrl, ownerId: undefined });
      },
    },
    {
      path: '/owner/{ownerId}',
      ask: (request) => {
        const ownerId = parseOwnerId(request);
        return ask(request, now, { path: ownerPath(ownerId), softwareUrl: undefined, ownerId });
      },
    },
  ];
}

function ask(
  request: EndpointRequest,
  now: () => number,
  { path, softwareUrl, ownerId }: Pick<ListRequest, 'path'> & Pick<ListQuery, 'softwareUrl' | 'ownerId'>,
): Body {
  const { origin } = request;
  const query = parseListQuery(request, { softwareUrl, ownerId });
  let isValid = () => true;
  return {
    ...pageQuestion(listPath({ path, query }), origin),
    isValid: () => isValid(),
    async *parts(reader) {
      const { loadListPage, renderListPage } = await loadPage();
      const wanted = { path, query, origin, nowMs: now() };
      const content = await reader.read((view) => loadListPage(view, wanted));
      const { document, isValidAt } = await renderListPage(content, wanted);
      isValid = () => isValidAt(now());
      yield document;
    },
  };
}

function parseOwnerId({ params }: EndpointRequest): number {
  const text = params['ownerId'] ?? '';
  const id = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (id <= maxId) return id;
  throw malformedQuery('the id of an owner', `decimal digits, at most ${maxId}`, text);
}
