/** Compares servers: with the same data, and the same options. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonText } from '../conformance/json-text.ts';
import { type Asking, askAll, askAllRaw } from './ask-both.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { archivesOf, type DataName } from './data.ts';
import { askHttp } from './http-outcome.ts';
import { bothOf } from './pair.ts';
import type { Server } from './program.ts';
import type { Request } from './request.ts';
import { conformanceRequests } from './requests/conformance.ts';
import { askedAgain, routeRequests, typicalTargets } from './requests/endpoints.ts';
import { commandOn, type Run, runCommands } from './run-commands.ts';

/** Makes the requests to servers with data. */
export type MakeRequests = (run: Run, catalogue: Catalogue) => readonly Request[];

/** Servers with the same data, and the requests to them. */
export interface Served {
  readonly data: DataName;
  /** Options of `serve`. */
  readonly options?: readonly string[];
  readonly requests: MakeRequests;
  /** Asks more, while the servers run. */
  readonly more?: (run: Run, asking: Asking, catalogue: Catalogue) => Promise<void>;
}

/** Compares what two servers answer. */
export async function compareServers(
  run: Run,
  { data, options = [], requests, more }: Served,
): Promise<void> {
  const store = await importData(run, data);
  const servers = await bothOf(run.programs, (program) => program.serve([...options, '--store', store]));
  const dataName = [data, ...options].join(' ');
  const asking = { ...run, servers, dataName };
  // An empty store is asked for what the sample has.
  const catalogue = readCatalogue(archivesOf(data === 'empty' ? 'sample' : data, run.seed));
  await askAll(asking, requests(run, catalogue));
  await more?.(run, asking, catalogue);
  const outcomes = await bothOf(servers, (server) => server.stop());
  run.findings.judge({ kind: 'serve', asked: `${dataName}: serve`, ...outcomes });
}

/** Requests to every route, and a fifth of them again in other ways. */
export const everyRequest: MakeRequests = ({ routes, seed }, catalogue) => {
  const all = routeRequests(routes, catalogue, seed);
  return [...all, ...askedAgain(all)];
};

/** The random catalogue has more of everything, so a third of the requests does for the sample. */
export const everyThirdRequest: MakeRequests = (run, catalogue) =>
  everyRequest(run, catalogue).filter((_, index) => index % 3 === 0);

/** Some of the requests to every route. */
export const someRequests: MakeRequests = (run, catalogue) => [
  ...typicalTargets(run.routes, catalogue).map((target) => ({ kind: 'typical', target })),
  ...everyRequest(run, catalogue).filter((_, index) => index % 29 === 0),
];

/** Imports data into a store of its own, unless a part before has done it. */
export async function importData(run: Run, data: DataName): Promise<string> {
  const store = `${data}.db`;
  if (existsSync(join(run.programs.earlier.folder, store))) return store;
  for (const [index, text] of archivesOf(data, run.seed).entries()) {
    const file = `${data}-${index}.ndjson`;
    await runCommands(run, [commandOn(store, `import ${file}`, { reads: { [file]: text } })]);
  }
  await compareStore(run, store);
  return store;
}

/** Compares everything in a store. */
export async function compareStore(run: Run, store: string): Promise<void> {
  await runCommands(
    run,
    ['export', 'check', 'stats', 'stats --json'].map((line) => commandOn(store, line)),
  );
}

/** Targets of errors: of the API, a picture, a page, and of a path that is none. */
const errorTargets = [
  '/api/v1/plugins/424242',
  '/api/v2/plugins?limit=0',
  '/embed/424242.svg',
  '/embed/424242.png',
  '/plugin/424242',
  '/nope',
  '/%ff',
];

/**
 * Asks what the conformance cases ask, also for a target of each route and for errors, and what HTTP clients
 * do not send.
 */
export async function askWires({ routes, seed }: Run, asking: Asking, catalogue: Catalogue): Promise<void> {
  const read = async (path: string) => {
    const { answer } = await askHttp(asking.servers.earlier, { kind: '', target: path });
    return answer?.status === 200 ? parseJsonText(answer.body.toString()).root : undefined;
  };
  const targets = [...typicalTargets(routes, catalogue), ...errorTargets];
  const { ordinary, raw } = await conformanceRequests(read, { targets, seed });
  await askAll(asking, ordinary);
  await askAllRaw(asking, raw);
}

/** Asks the listeners for operators. */
export async function compareAdmin({ servers, ...asking }: Asking): Promise<void> {
  const admin = ({ adminPort, ...server }: Server) => ({ ...server, adminPort, port: adminPort ?? 0 });
  const pair = { earlier: admin(servers.earlier), present: admin(servers.present) };
  const requests = ['/live', '/ready', '/metrics', '/', '/nope', '/live/', '/live?x=1', '/%ff'].flatMap(
    (target): Request[] => [
      { kind: 'admin', target },
      { kind: 'admin', target, headers: { Host: '127.0.0.1' } },
      // The length of the metrics is that of their values.
      ...(target === '/metrics'
        ? []
        : [{ kind: 'admin', target, headers: { Host: '127.0.0.1' }, method: 'HEAD' }]),
      { kind: 'admin', target, headers: { Host: 'localhost' }, method: 'POST' },
    ],
  );
  await askAll({ ...asking, servers: pair, dataName: `${asking.dataName} admin` }, requests);
}
