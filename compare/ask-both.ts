/** Asks the servers of both builds the same, and judges what they answer. */
import { type Answered, askHttp, askRaw } from './http-outcome.ts';
import { normalNames } from './normal-text.ts';
import type { Pair } from './pair.ts';
import type { Server } from './program.ts';
import { describeRequest, host, type RawRequest, type Request } from './request.ts';
import type { Run } from './run-commands.ts';

/** Servers with the same data, whose name is part of what the report says. */
export interface Asking extends Pick<Run, 'findings' | 'say'> {
  readonly servers: Pair<Server>;
  readonly dataName: string;
}

/** Raw requests that are on their way at once: some wait until the server has been silent for long. */
const rawConcurrency = 24;

/** The most links of answers that are followed. */
const maxLinks = 1500;

/**
 * Sends all requests, each once, then follows the links of the answers that are new. One waits for the other,
 * as what is made at the same time may be answered in another way: of two PNGs that show an error, one may be
 * an SVG.
 */
export async function askAll(asking: Asking, requests: readonly Request[]): Promise<void> {
  const links = new Set<string>();
  const asked = new Set<string>();
  for (const request of requests) {
    const text = `${describeRequest(request)} ${request.body}`;
    if (request.next === undefined && asked.has(text)) continue;
    asked.add(text);
    await askBoth(asking, request, links);
  }
  const known = new Set(requests.map(({ target }) => target));
  asking.say(`  ${asking.dataName}: ${asked.size} requests, then ${Math.min(links.size, maxLinks)} links`);
  const fresh = [...links].filter((link) => !known.has(link)).sort();
  for (const target of fresh.slice(0, maxLinks))
    await askBoth(asking, { kind: 'links of answers', target }, links);
}

/** Sends raw requests, each over a connection of its own. */
export async function askAllRaw(
  { servers, findings, dataName }: Asking,
  requests: readonly RawRequest[],
): Promise<void> {
  const left = requests.values();
  const askSome = async () => {
    for (const request of left) {
      const [earlier, present] = await Promise.all([
        askRaw(servers.earlier, request),
        askRaw(servers.present, request),
      ]);
      const asked = `${dataName}: raw ${JSON.stringify(request.parts.join(''))}`;
      findings.judge({ kind: request.kind, asked, earlier, present });
    }
  };
  await Promise.all(Array.from({ length: rawConcurrency }, askSome));
}

async function askBoth(
  { servers, findings, dataName }: Asking,
  request: Request,
  links: Set<string>,
): Promise<void> {
  let next: Pair<Request | undefined> = { earlier: request, present: request };
  while (next.earlier !== undefined || next.present !== undefined) {
    const [earlier, present]: [Answered, Answered] = await Promise.all([
      askOne(servers.earlier, next.earlier),
      askOne(servers.present, next.present),
    ]);
    const sent = next.earlier ?? next.present ?? request;
    findings.judge({
      kind: sent.kind,
      asked: `${dataName}: ${describeRequest(sent)}`,
      earlier: earlier.outcome,
      present: present.outcome,
    });
    for (const answered of [earlier, present]) for (const link of linksIn(answered)) links.add(link);
    next = { earlier: following(next.earlier, earlier), present: following(next.present, present) };
  }
}

/** Asks nothing of a build that does not go on, such as to a next page: it has no outcome. */
async function askOne(server: Server, request: Request | undefined): Promise<Answered> {
  const target = request && server.ownTarget(request.target);
  if (request === undefined || target === undefined) return { answer: undefined, outcome: new Map() };
  return askHttp(server, { ...request, target });
}

function following(request: Request | undefined, { answer }: Answered): Request | undefined {
  return answer === undefined ? undefined : request?.next?.(answer);
}

/** Paths on the same server in HTML, SVG, scripts, style sheets and `Location`. */
function linksIn({ answer }: Answered): readonly string[] {
  if (answer === undefined) return [];
  const location = answer.headers.get('location');
  const type = answer.headers.get('content-type') ?? '';
  const links = location === undefined ? [] : [location];
  // Pictures refer to nothing.
  if (/html|\/xml/.test(type)) {
    for (const [, text = ''] of answer.body
      .toString()
      .matchAll(/(?:href|src|action|content|loc|data-[\w-]+)(?:="|>)([^"<]*)/g))
      links.push(...unescapeHtml(text).split(/\s+/).slice(0, 1));
  }
  if (/javascript|css/.test(type))
    for (const [, text = ''] of answer.body.toString().matchAll(/["'(](\.?\/[\w./-]+\.(?:js|css|svg))["')]/g))
      links.push(text.replace(/^\./, ''));
  return links.flatMap((link) => {
    const path = normalNames(link.replace(new RegExp(`^https?://${host}`), '').replace(/#.*$/s, ''));
    return /^\/(?!\/)[!-~]*$/.test(path) ? [path] : [];
  });
}

const named: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', amp: '&' };

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|([a-z]+));/g, (entity, code?: string, name = '') =>
    code === undefined ? (named[name] ?? entity) : String.fromCodePoint(Number(code)),
  );
}
