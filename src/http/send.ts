/** Answers written to a response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import { matchesTag } from './conditional.ts';
import { chooseCoding } from './content-coding.ts';
import { commonHeaders, jsonMediaType, preflightHeaders } from './headers.ts';
import { allowedMethods, type Problem } from './problem.ts';

/** Sends a good answer, or 304 where the client has it already. */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  options: { readonly answer: Answer; readonly cacheControl: string },
): Promise<void> {
  const acceptEncoding = request.headers['accept-encoding'];
  const { coding, bytes, etag } = await options.answer.coded(chooseCoding(acceptEncoding?.toString()));
  const headers: Record<string, string | number> = {
    ...commonHeaders,
    'cache-control': options.cacheControl,
    etag,
    vary: 'Accept-Encoding',
  };
  if (matchesTag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  headers['content-type'] = jsonMediaType;
  headers['content-length'] = bytes.length;
  if (coding !== 'identity') headers['content-encoding'] = coding;
  response.writeHead(200, headers).end(bytes);
}

/** Sends an error answer. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  const headers = { ...commonHeaders, ...problem.headers, 'content-length': problem.body.length };
  response.writeHead(problem.status, headers).end(problem.body);
}

/** Answers OPTIONS, a CORS preflight or not. */
export function sendNoContent(response: ServerResponse): void {
  response.writeHead(204, { ...commonHeaders, ...preflightHeaders, allow: allowedMethods }).end();
}
