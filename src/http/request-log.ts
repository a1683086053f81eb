/** The log of requests: one line each, without addresses. */
import type { LineStream } from './error-log.ts';

/** A request and its response. */
export interface LoggedRequest {
  /** Left out, like the target, if the request could not be parsed. */
  readonly method?: string;
  readonly target?: string;
  readonly status: number;
  /** Size of the body as it is sent; of a stream 0. */
  readonly bodyBytes: number;
  /** Time from the request to its response. */
  readonly durationMs?: number;
}

const maxPathLength = 200;

/** Writes a request as a line of JSON. Of its target it has the path alone, because the query may contain secrets. */
export function logRequest(
  stream: LineStream,
  { method, target, durationMs, ...request }: LoggedRequest,
): void {
  const line = {
    level: 'info',
    time: new Date().toISOString(),
    ...(method === undefined ? {} : { method }),
    ...(target === undefined ? {} : { path: target.slice(0, maxPathLength).replace(/[?#].*/s, '') }),
    ...request,
    ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs * 1000) / 1000 }),
    message: 'request',
  };
  stream.write(`${JSON.stringify(line)}\n`);
}
