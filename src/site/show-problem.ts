/**
 * Chooses the form of an error: an image for a picture request, in the requested size; a page for a browser;
 * otherwise a problem document. None of them needs the store.
 */

import { html } from 'ghtml';
import { drawBadge } from '../draw/badge.ts';
import { drawMessage } from '../draw/message.ts';
import {
  errorResponse,
  type ProblemDetails,
  type ProblemKind,
  problemResponse,
  problems,
} from '../http/problem.ts';
import type { HttpRequest } from '../http/request.ts';
import type { HttpResponse } from '../http/response.ts';
import { splitTarget } from '../http/router.ts';
import type { Links } from '../model/links.ts';
import { homePath, withQuery } from './address/paths.ts';
import { isIdle, makePng } from './images/make-png.ts';
import { pictureOptions, svgForm } from './images/picture.ts';
import { pageForm, renderPage } from './pages/page.ts';
import { accept } from './state/fields.ts';
import { badgeFields, lookFields } from './state/pictures.ts';

/** Renders an error in its form; undefined below `/api`, where errors are always problem documents. */
export function showProblem(
  problem: ProblemDetails,
  { target, headers, links }: Pick<HttpRequest, 'target' | 'headers'> & { readonly links: Links },
): Promise<HttpResponse> | undefined {
  const { path, rawPath, query } = splitTarget(target);
  if (/^\/(?:api|openapi\.json)(?:\/|$)/.test(path)) return undefined;
  const isImage = /^\/(?:embed|signatures|badge)\/.*\.(?:svg|png)\/?$/s.test(path);
  if (isImage) return asImage(problem, path, new URLSearchParams(query));
  const response = namesHtml.test(headers.accept ?? '')
    ? errorResponse(problem, {
        ...pageForm,
        body: renderProblemPage(problem, { path: rawPath, query, links }),
        headers: [...pageForm.headers, 'Vary', 'Accept'],
      })
    : problemResponse(problem, ['Vary', 'Accept']);
  return Promise.resolve(response);
}

/**
 * Renders an error as an image; falls back to SVG if no PNG can be made. Malformed parameters get their
 * defaults.
 */
async function asImage(problem: ProblemDetails, path: string, query: URLSearchParams): Promise<HttpResponse> {
  const { title } = problems[problem.kind];
  if (path.startsWith('/badge/')) {
    const { style } = accept(badgeFields, query);
    const words = { label: 'plugin metrics', message: title.toLowerCase(), color: 'lightgrey' };
    return errorResponse(problem, { ...svgForm, body: drawBadge({ ...words, style }) });
  }
  const isPng = /\.png\/?$/.test(path);
  const look = accept(lookFields[isPng ? 'png' : 'svg'], query);
  const svg = drawMessage(problem.detail, { ...pictureOptions(look), title });
  // An error does not wait for other PNGs. Browsers recognize an SVG by its media type.
  const png =
    isPng && isIdle() ? await makePng(async () => svg, look.scale).catch(() => undefined) : undefined;
  return errorResponse(problem, png ? { mediaType: 'image/png', body: png } : { ...svgForm, body: svg });
}

/**
 * Matches if `text/html` is accepted explicitly, not with `q=0` (RFC 9110 12.5.1): browsers name it, programs
 * send a wildcard.
 */
const namesHtml = /(?:^|,)\s*text\/html\s*(?:$|[,;])(?![^,]*\bq=0(?:\.0*)?\s*(?:$|[,;]))/i;

/** Says what is so, and leads back: to the same page without the parameters at fault. */
function renderProblemPage(
  problem: ProblemDetails,
  { path, query, links }: { readonly path: string; readonly query: string; readonly links: Links },
): string {
  const { status } = problems[problem.kind];
  const same =
    problem.kind === 'malformed-query' && query !== ''
      ? html`<a href="${withoutFault(problem.detail, path, query)}">This page as it usually is</a> · `
      : '';
  const title = titleOf(problem.kind);
  return renderPage(
    { title, description: title, links },
    html`<p class="kicker">${status}</p>
<h1>${title}</h1>
<p class="by">${sentence(problem)}</p>
<p class="by">!${same}<a href="${homePath}">All plugins</a></p>
`,
  );
}

const windowNames = ['range', 'from', 'to'];

/** The address without the parameter that the detail names, or without a window; else without all. */
function withoutFault(detail: string, path: string, query: string): string {
  const [, name = 'range'] = /^(\w+) must be /.exec(detail) ?? [];
  const kept = new URLSearchParams(query);
  const { size } = kept;
  for (const one of windowNames.includes(name) ? windowNames : [name]) kept.delete(one);
  return withQuery(path, kept.size === size ? {} : Object.fromEntries(kept));
}

/** Returns the title for people; programs get the one in `problems`. */
function titleOf(kind: ProblemKind): string {
  const [, unknown] = /^unknown-(\w+)$/.exec(kind) ?? [];
  if (unknown !== undefined) return `There is no such ${unknown === 'path' ? 'page' : unknown}`;
  if (kind === 'store-unavailable') return 'The metrics cannot be read at the moment';
  if (kind === 'internal-error') return 'Something went wrong here';
  const { status, title } = problems[kind];
  return status === 400 ? 'This address cannot be read' : title;
}

function sentence({ kind, detail }: ProblemDetails): string {
  if (kind === 'unknown-path') return 'It may have been removed, or the address may be mistyped.';
  if (kind === 'store-unavailable') return 'Try again in a few seconds.';
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${/[.!?]$/.test(detail) ? '' : '.'}`;
}
