/** The requests of the conformance cases, for a server whose data both builds have. */
import type { Answer } from '../../conformance/answer.ts';
import { type Case, loadCases } from '../../conformance/case-files.ts';
import type { ReadPath } from '../../conformance/catalogue.ts';
import { discoverFixtures, type Fixtures } from '../../conformance/fixtures.ts';
import type { Json } from '../../conformance/json.ts';
import { fill } from '../../conformance/placeholders.ts';
import { expandRequest, parseRequest } from '../../conformance/request.ts';
import { host, type RawRequest, type Request } from '../request.ts';

/** Requests of both kinds. */
export interface ConformanceRequests {
  readonly ordinary: readonly Request[];
  readonly raw: readonly RawRequest[];
}

/** Reads the cases. What a case needs of the data is looked up with `read`. */
export async function conformanceRequests(read: ReadPath): Promise<ConformanceRequests> {
  const fixtures = await discoverFixtures(read);
  const { cases } = await loadCases();
  const requests = cases.map((one) =>
    requestOf(one, { fixtures, answers: new Map(), given: Object.entries(one.given) }),
  );
  return {
    ordinary: requests.filter((request) => 'target' in request),
    raw: requests.filter((request) => 'parts' in request),
  };
}

interface Asked {
  readonly fixtures: Fixtures;
  readonly answers: ReadonlyMap<string, Answer>;
  /** The requests that are still to be sent before that of the case. */
  readonly given: readonly (readonly [name: string, request: Json])[];
}

function requestOf(one: Case, { fixtures, answers, given }: Asked): Request | RawRequest {
  const kind = `conformance ${one.subject}`;
  const [first, ...rest] = given;
  const filled = fill(first?.[1] ?? one.request, (name) => {
    if (name === 'prefix') return '';
    if (name === 'host') return host;
    const [answer = '', header = ''] = name.split('.header.');
    return answers.get(answer)?.headers.get(header) ?? fixtures.get(name);
  });
  const request = expandRequest(parseRequest(filled, one.name));
  if (request.kind === 'raw') return { kind, parts: [request.raw] };
  const { method, path: target, headers, body } = request;
  const plain = {
    kind,
    method,
    target,
    headers,
    name: `${target} of "${one.name}"`,
    ...(body === undefined ? {} : { body }),
  };
  if (first === undefined) return plain;
  const next: Request['next'] = (answer) => {
    const following = requestOf(one, {
      fixtures,
      answers: new Map(answers).set(first[0], answer),
      given: rest,
    });
    return 'target' in following ? following : undefined;
  };
  return { ...plain, next };
}
