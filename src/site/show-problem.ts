/** The form of an error: an image for a request of an image, a page for a browser, otherwise a problem document. */

import { errorResponse, type Problem, problemResponse } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import type { Response } from '../http/response.ts';
import { splitTarget } from '../http/router.ts';
import type { PngMaker } from './images/png-maker.ts';
import { renderProblemImage } from './images/problem-image.ts';
import { renderProblemPage } from './pages/problem-page.ts';

/** Renders an error in its form; undefined below `/api`, where errors are always problem documents. */
export function showProblem(
  problem: Problem,
  { target, headers: { accept = '' } }: Pick<Request, 'target' | 'headers'>,
  pngs: PngMaker,
): Promise<Response> | undefined {
  const { path } = splitTarget(target);
  if (/^\/(?:api|openapi\.json)(?:\/|$)/.test(path)) return undefined;
  const [, extension] = /^\/(?:embed|signatures|badge)\/.*\.(svg|png)\/?$/s.exec(path) ?? [];
  if (extension !== undefined && problem.kind !== 'png-unavailable')
    return asImage(problem, { target, pngs });
  const wantsPage = problem.kind !== 'png-unavailable' && namesHtml(accept);
  return wantsPage ? asPage(problem) : Promise.resolve(problemResponse(problem, ['Vary', 'Accept']));
}

async function asImage(
  problem: Problem,
  request: { readonly target: string; readonly pngs: PngMaker },
): Promise<Response> {
  return errorResponse(problem, await renderProblemImage(problem, request));
}

async function asPage(problem: Problem): Promise<Response> {
  const { mediaType, body, headers } = await renderProblemPage(problem);
  return errorResponse(problem, { mediaType, body, headers: [...headers, 'Vary', 'Accept'] });
}

/** True for an `Accept` header with `text/html` by name (RFC 9110 12.5.1): browsers name it, programs send a wildcard. */
function namesHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.toLowerCase().split(';');
    return (
      name.trim() === 'text/html' && !parameters.some((parameter) => /^\s*q=0(?:\.0*)?\s*$/.test(parameter))
    );
  });
}
