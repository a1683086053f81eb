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
import { rawRequests } from './requests/raw.ts';
import { commandOn, type Run, runCommands } from './run-commands.ts';

/** Servers with the same data, and the requests to them. */
export interface Served {
  readonly data: DataName;
  /** Options of `serve`. */
  readonly options?: readonly string[];
  readonly requests: (catalogue: Catalogue, seed: string) => readonly Request[];
  /** Asks more, while the servers run. */
  readonly more?: (asking: Asking) => Promise<void>;
}

/** Compares what two servers answer. */
export async function compareServers(
  run: Run,
  { data, options = [], requests, more }: Served,
): Promise<void> {
  const store = await importData(run, data);
  const servers = await bothOf(run.programs, (program) => program.serve([...options, '--store', store]));
  const dataName = [data, ...options].join(' ');
  const asking = { servers, findings: run.findings, dataName };
  await askAll(asking, requests(readCatalogue(archivesOf(data, run.seed)), run.seed));
  await more?.(asking);
  const outcomes = await bothOf(servers, (server) => server.stop());
  run.findings.judge({ kind: 'serve', asked: `${dataName}: serve`, ...outcomes });
}

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

/** Asks what HTTP clients do not send, and what the conformance cases ask. */
export async function askWires(asking: Asking): Promise<void> {
  const read = async (path: string) => {
    const { answer } = await askHttp(asking.servers.earlier, { kind: '', target: path });
    return answer?.status === 200 ? parseJsonText(answer.body.toString()).root : undefined;
  };
  const { ordinary, raw } = await conformanceRequests(read);
  await askAll(asking, ordinary);
  await askAllRaw(asking, [...rawRequests(), ...raw]);
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
