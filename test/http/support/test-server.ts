/** Servers over real stores, created for one test file and removed after it. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { defaultLimits } from '../../../src/http/limits.ts';
import { Sending } from '../../../src/http/sending.ts';
import { HttpServer, type HttpServerOptions } from '../../../src/http/server.ts';
import type { MetricsReader, MetricsView } from '../../../src/model/metrics-reader.ts';
import { countFromNow, type MetricReading } from '../../support/metrics.ts';
import { openSqliteReader, withReads } from '../../support/reads.ts';
import { importFile } from '../../support/stores.ts';
import { sampleVariable } from '../../support/test-run.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { sampleFile } from './sample-file.ts';
import { makeApp, type TestAppOptions } from './test-app.ts';

/** A new directory, removed when the process ends. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plugin-metrics-http-'));
  directories.push(directory);
  return directory;
}

const directories: string[] = [];

process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Imports records (no header or end) into a store; version 2 of the format has histories. */
export async function importRecords(
  store: string,
  records: readonly object[],
  version: 1 | 2 = 1,
): Promise<void> {
  const file = `${store}.ndjson`;
  writeFileSync(file, archiveText(records, version));
  await importFile(store, file);
}

/** Makes a store of records (no header or end), histories and events among them. */
export async function makeStore(records: readonly object[]): Promise<string> {
  const store = join(makeDirectory(), 'records.db');
  await importRecords(store, records, 2);
  return store;
}

/** Renders records as an archive. */
export function archiveText(records: readonly object[], version = 1): string {
  const framed = [{ record: 'archive', version }, ...records, { record: 'end', records: records.length }];
  return framed.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/**
 * Creates a store with the sample: a copy of the store of the test run, or of the one that this file
 * imported.
 */
export async function makeSampleStore(): Promise<string> {
  const store = join(makeDirectory(), 'sample.db');
  const shared = process.env[sampleVariable];
  firstStore ??= shared === undefined ? importSample() : Promise.resolve(shared);
  copyFileSync(await firstStore, store);
  return store;
}

let firstStore: Promise<string> | undefined;

async function importSample(): Promise<string> {
  const store = join(makeDirectory(), 'imported.db');
  await importFile(store, sampleFile);
  return store;
}

/** Options of a test server. */
export type TestServerOptions = TestAppOptions & Partial<Omit<HttpServerOptions, 'answer' | 'errorLog'>>;

/** A server that stops when it is disposed of, with its log so far. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** Reads what has been counted since it started, by all servers of the process. */
  readonly count: MetricReading;
  /** Counts the connections that it has cut because nobody reads their responses. */
  readonly countUnread: () => Promise<number>;
  /** Waits until it has cut one of these. */
  readonly cutOff: () => Promise<void>;
  /** Waits until it has no connections, or so many. */
  readonly isLeft: (connectionCount?: number) => Promise<void>;
  readonly logLines: readonly string[];
}

/** Serves a store; disposing of the server closes the reader too. */
export async function serveStore(store: string, options?: TestServerOptions): Promise<TestServer> {
  return await serveReader(openSqliteReader(store), options);
}

/** Serves a store of any kind through its reader, which is closed with the server. */
export async function serveReader(
  reader: MetricsReader,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const count = await countFromNow();
  const { limits } = options;
  const sending = new Sending(limits?.maxSendingBytes ?? defaultLimits.maxSendingBytes);
  const { app, errorLog, logLines } = makeApp(reader, { ...options, sending });
  const server = await HttpServer.start({
    host: '127.0.0.1',
    port: 0,
    ...options,
    errorLog,
    sending,
    answer: (request) => app.answer(request),
  });
  const countUnread = () => count('connections_dropped_total', { reason: 'not_reading' });
  return {
    url: server.url,
    count,
    countUnread,
    cutOff: () => waitUntil(async () => (await countUnread()) === 1),
    isLeft: (connectionCount = 0) =>
      waitUntil(async () => (await count('open_connections')) <= connectionCount),
    logLines,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await reader[Symbol.asyncDispose]();
    },
  };
}

/** Serves a new store with the sample until the tests of the file end. */
export async function serveSample(options?: TestServerOptions): Promise<TestServer> {
  const server = await serveStore(await makeSampleStore(), options);
  after(() => server[Symbol.asyncDispose]());
  return server;
}

/** A server whose reads of data wait until the gate is opened. */
export async function serveHeld(
  store: string,
  options?: TestServerOptions,
): Promise<
  TestServer & {
    readonly openGate: () => void;
    readonly heldCount: () => number;
    /** The numbers of points of the reads so far. */
    readonly held: readonly number[];
  }
> {
  const gate = Promise.withResolvers<void>();
  const held: number[] = [];
  const server = await serveStore(store, {
    ...options,
    wrap: (reader) =>
      replaceMethods(reader, (view) => ({
        async readChartData(...about) {
          held.push(about[2]);
          await gate.promise;
          return view.readChartData(...about);
        },
      })),
  });
  return Object.assign(server, { openGate: gate.resolve, heldCount: () => held.length, held });
}

/** Some methods of a view, or of its reader. */
export type ReplacedMethods = (
  view: MetricsView,
) => Partial<MetricsView & Pick<MetricsReader, 'generation' | 'unreachableMs'>>;

/** A reader with some of its methods, or of those of its views, replaced. */
export function replaceMethods(reader: MetricsReader, methodsFor: ReplacedMethods): MetricsReader {
  const replaced = (view: MetricsView) => replaceIn(view, methodsFor(view));
  const read: MetricsReader['read'] = (work) => reader.read((view) => work(replaced(view)));
  const stream: MetricsReader['stream'] = (work) => reader.stream((view) => work(replaced(view)));
  return replaceIn(reader, { read, stream, ...methodsFor(withReads(reader)) });
}

function replaceIn<Target extends object>(target: Target, methods: object): Target {
  return new Proxy(target, {
    get(target, name) {
      const replaced: unknown = Reflect.get(methods, name);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
