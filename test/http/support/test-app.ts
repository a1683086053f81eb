/**
 * The application without a socket. Its answers are checked against the OpenAPI document, as those of a
 * server are.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { listApiEndpoints } from '../../../src/api/routes.ts';
import { App, type AppOptions } from '../../../src/http/app.ts';
import type { BodySize } from '../../../src/http/endpoint.ts';
import { defaultLimits } from '../../../src/http/limits.ts';
import { ErrorLog } from '../../../src/http/logs.ts';
import type { HttpRequest, RequestHeaders } from '../../../src/http/request.ts';
import { dateHeader } from '../../../src/http/response.ts';
import { Sending } from '../../../src/http/sending.ts';
import type { MetricsReader } from '../../../src/model/metrics-reader.ts';
import { openSqliteReader } from '../../support/reads.ts';
import { checkAnswer } from './openapi-check.ts';
import { type Answer, headerMap } from './validated-client.ts';

/** Options of an application in tests. */
export type TestAppOptions = Partial<Omit<AppOptions, 'errorLog' | 'reader'>> & {
  readonly hasLiveFields?: boolean;
  /** Wraps the reader of the store. */
  readonly wrap?: (reader: MetricsReader) => MetricsReader;
};

/** An application, and its log so far. */
interface MadeApp {
  readonly app: App;
  readonly errorLog: ErrorLog;
  readonly logLines: readonly string[];
}

/** Makes an application over a reader. */
export function makeApp(
  reader: MetricsReader,
  { wrap = (one) => one, hasLiveFields = false, ...options }: TestAppOptions,
): MadeApp {
  const logLines: string[] = [];
  const errorLog = new ErrorLog({ write: (line) => void logLines.push(line) });
  const app = new App({
    endpoints: listApiEndpoints({ hasLiveFields }),
    maxAgeSeconds: 60,
    cacheBytes: 16 * 1024 * 1024,
    sending: new Sending(defaultLimits.maxSendingBytes),
    ...options,
    errorLog,
    reader: wrap(reader),
  });
  return { app, errorLog, logLines };
}

/** An application over a store. */
export interface TestApp extends MadeApp {
  /** Asks for a target, and checks the answer. */
  readonly ask: (target: string, headers?: RequestHeaders, method?: string) => Promise<Answer>;
  /** Asks for a target that must answer 200, and returns the text of the body. */
  readonly textOf: (target: string) => Promise<string>;
}

/** Opens an application over a store until the tests of the file end. */
export function openApp(store: string, options: TestAppOptions = {}): TestApp {
  const reader = openSqliteReader(store);
  after(() => reader[Symbol.asyncDispose]());
  const made = makeApp(reader, options);
  const ask: TestApp['ask'] = async (target, headers = {}, method = 'GET') => {
    const response = await made.app.answer(requestFor(target, headers, method));
    const { status, headers: sent, contentLength, body } = response;
    const length = contentLength === undefined ? [] : ['Content-Length', String(contentLength)];
    const bytes = method === 'HEAD' ? Buffer.alloc(0) : Buffer.from(body);
    const answer = { status, headers: headerMap([...sent, ...length, 'Date', dateHeader()]), bytes };
    if (options.endpoints === undefined) checkAnswer({ method, target }, answer, options);
    return answer;
  };
  const textOf = async (target: string) => {
    const { status, bytes } = await ask(target);
    assert.equal(status, 200, `${target}: ${bytes}`);
    return bytes.toString();
  };
  return { ...made, ask, textOf };
}

/** A request of a client that waits for its answer. */
export function requestFor(target: string, headers: RequestHeaders = {}, method = 'GET'): HttpRequest {
  return {
    ...{ method, target, headers, address: '192.0.2.1', network: '192.0.2.1', rateRefusal: undefined },
    receivedAt: performance.now(),
    isWaitingFor: (_size: BodySize) => true,
    whenSent: () => {},
  };
}
