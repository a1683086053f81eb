/**
 * Requests of the conformance cases: as they are, at other targets, and their raw bytes with a few changed.
 */

import { createRandom, type Random } from '../../catalogues/random.ts';
import type { Answer } from '../../conformance/answer.ts';
import { type Case, loadCases } from '../../conformance/case-files.ts';
import type { ReadPath } from '../../conformance/catalogue.ts';
import { discoverFixtures } from '../../conformance/fixtures.ts';
import { isObject, type Json } from '../../conformance/json.ts';
import { fill } from '../../conformance/placeholders.ts';
import { expandRequest, parseRequest } from '../../conformance/request.ts';
import { host, type RawRequest, type Request } from '../request.ts';

/** Requests of both kinds. */
export interface ConformanceRequests {
  readonly ordinary: readonly Request[];
  readonly raw: readonly RawRequest[];
}

/** A case for another target asks in its way for that. */
type Asked = Pick<Case, 'subject' | 'name' | 'request'> & {
  /** The requests that are still to be sent before that of the case. */
  readonly given: readonly (readonly [name: string, request: Json])[];
};

/** Changed copies of each raw message. */
const changedCopies = 16;

/**
 * Reads the cases. What a case needs of the data is looked up with `read`; the ways in which cases ask
 * (methods, headers, entity tags) are taken for the targets too.
 */
export async function conformanceRequests(
  read: ReadPath,
  { targets, seed }: { readonly targets: readonly string[]; readonly seed: string },
): Promise<ConformanceRequests> {
  const fixtures = await discoverFixtures(read);
  const { cases } = await loadCases();
  const asked = cases.map((one): Asked => ({ ...one, given: Object.entries(one.given) }));
  const lookup = (name: string) => fixtures.get(name);
  const requests = asked.map((one) => requestOf(one, lookup));
  const raw = requests.filter((request) => 'parts' in request);
  return {
    ordinary: [
      ...requests.filter((request) => 'target' in request),
      ...targets.flatMap((target) => waysOf(asked, target).map((way) => requestOf(way, lookup))),
    ].filter((request) => 'target' in request),
    raw: [
      ...raw,
      ...raw.flatMap((request, index) => changedRequests(request, createRandom(`raw ${seed} ${index}`))),
    ],
  };
}

/** The cases as they ask for a target, each way once. */
function waysOf(cases: readonly Asked[], target: string): readonly Asked[] {
  const at = (request: Json) =>
    isObject(request) && request['raw'] === undefined ? { ...request, path: target } : request;
  const ways = cases
    .filter(({ request }) => isObject(request) && request['raw'] === undefined)
    .map((one) => ({
      ...one,
      subject: 'ways to ask',
      request: at(one.request),
      given: one.given.map(([name, request]) => [name, at(request)] as const),
    }));
  return [...new Map(ways.map((way) => [JSON.stringify([way.given, way.request]), way])).values()];
}

function requestOf(
  one: Asked,
  lookup: (name: string) => Json | undefined,
  answers: ReadonlyMap<string, Answer> = new Map(),
): Request | RawRequest {
  const kind = `conformance: ${one.subject}`;
  const [first, ...given] = one.given;
  const filled = fill(first?.[1] ?? one.request, (name) => {
    if (name === 'prefix') return '';
    if (name === 'host') return host;
    const [answer = '', header = ''] = name.split('.header.');
    return answers.get(answer)?.headers.get(header) ?? lookup(name);
  });
  const request = expandRequest(parseRequest(filled, one.name));
  if (request.kind === 'raw') return { kind, parts: [request.raw] };
  const { method, path: target, headers, body } = request;
  const name = `${target} of "${one.name}"`;
  const plain = { kind, method, target, headers, name, ...(body === undefined ? {} : { body }) };
  if (first === undefined) return plain;
  const next: Request['next'] = (answer) => {
    const following = requestOf({ ...one, given }, lookup, new Map(answers).set(first[0], answer));
    return 'target' in following ? following : undefined;
  };
  return { ...plain, next };
}

/** Bytes and lines that parsers of HTTP read in different ways, or find too long. */
const oddBytes = [
  ...['\0', '\r', '\n', '\r\n', '\r\n\r\n', '\t', ' ', '\x7f', '\xe9', ...':;,%/?#\\"'],
  ...[
    'HTTP/1.0',
    'HTTP/1.2',
    'Host: a\r\n',
    'Host: a b\r\n',
    'Content-Length: 4\r\n',
    'Content-Length: x\r\n',
  ],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: x\r\n', 'Connection: close\r\n', 'Expect: x\r\n'],
  ...['x'.repeat(20_000), 'X: y\r\n'.repeat(2500)],
];

/** The message torn in two, and copies in which something odd replaces a byte or goes before it. */
function changedRequests({ parts: [text = ''] }: RawRequest, random: Random): readonly RawRequest[] {
  const place = () => random.below(Math.min(text.length, 400));
  const changed = Array.from({ length: changedCopies }, () => {
    const [at, odd] = [place(), oddBytes[random.below(oddBytes.length)] ?? ''];
    return [`${text.slice(0, at)}${odd}${text.slice(at + random.below(2))}`];
  });
  const tornAt = 1 + place();
  return [...changed, [text.slice(0, tornAt), text.slice(tornAt)]].map((parts) => ({
    kind: 'raw, changed',
    parts,
  }));
}
