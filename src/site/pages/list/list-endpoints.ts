/** The pages that list plugins: all of them, those of one software, those of one owner. */

import type { Body, Endpoint, EndpointRequest } from '../../../http/endpoint.ts';
import { malformedQuery } from '../../../http/query-parameter.ts';
import { maxId } from '../../../model/identifier.ts';
import { homePath, ownerPath, softwarePath } from '../../address/paths.ts';
import { parse } from '../../state/fields.ts';
import { pageQuestion } from '../page-question.ts';
import { loadListPage, renderListPage } from './list-page.ts';
import { homeFields, type ListQuery, type ListRequest, listFields, listPath } from './list-query.ts';

/** `/`, `/software/{softwareUrl}` and `/owner/{ownerId}`: all plugins, those of one software, those of one owner. */
export function listEndpoints(now: () => number): readonly Endpoint[] {
  return [
    {
      path: homePath,
      ask: (request) => {
        const { softwareUrl } = parse(homeFields, request.searchParams);
        return ask(request, now, {
          path: homePath,
          softwareUrl: softwareUrl || undefined,
          ownerId: undefined,
        });
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
  const query = { ...parse(listFields, request.searchParams), softwareUrl, ownerId };
  let isValid = () => true;
  return {
    ...pageQuestion(listPath({ path, query }), origin),
    isValid: () => isValid(),
    async *parts(reader) {
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
