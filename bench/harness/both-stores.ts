/** The same catalogue in SQLite and in PostgreSQL, and what an answer from each costs. */
import { catalogueArchive } from '../data/archive.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { type Bench, roundSeconds } from '../question.ts';
import type { PostgresServer } from './postgres.ts';
import { processorSeconds } from './process-figures.ts';
import { importBlocks } from './stores.ts';
import type { Listening } from './wait.ts';
import { type LoadRequest, runWrk } from './wrk.ts';

/** 1,500 plugins whose 3,000 lines have a month of history: more than is remembered, and soon imported. */
export const months: Catalogue = {
  name: 'months',
  pluginCount: 1500,
  linesPerPlugin: 2,
  snapshotsPerPlugin: 2,
  slotCount: 1440,
  fullHistoryEvery: 1,
};

/** Imports the catalogue into a new database; gives its URI. */
export async function postgresStore(
  bench: Bench,
  postgres: PostgresServer,
  catalogue: Catalogue,
): Promise<string> {
  const uri = await postgres.makeDatabase(catalogue.name.replaceAll('-', '_'));
  await importBlocks(bench, uri, catalogueArchive(catalogue));
  // What autovacuum would do soon, and in the middle of a round.
  await postgres.query(uri, 'vacuum (analyze)');
  await postgres.query(uri, 'checkpoint');
  return uri;
}

/** What a round of load came to. */
export interface CostRound {
  readonly requestCount: number;
  readonly requestsPerSecond: number;
  /** What the nodes took of the processor, in seconds for one request. */
  readonly nodeSeconds: number;
  /** What the database took; 0 where there is none. */
  readonly databaseSeconds: number;
}

/** Asks all nodes at once for one round, and looks what that took of the processor. */
export async function costRound(
  bench: Bench,
  asked: {
    readonly nodes: readonly Listening[];
    readonly requests: readonly LoadRequest[];
    readonly postgres?: PostgresServer;
  },
): Promise<CostRound> {
  const { nodes, requests, postgres } = asked;
  const nodesTook = () => nodes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
  const databaseTook = () => postgres?.processorSeconds() ?? 0;
  const before = { nodes: nodesTook(), database: databaseTook() };
  const results = await Promise.all(
    nodes.map(({ url }) => runWrk(bench, { baseUrl: url, requests, seconds: roundSeconds(bench) })),
  );
  const requestCount = results.reduce((sum, result) => sum + result.requestCount, 0);
  if (requestCount === 0) throw new Error('no request was answered: the machine is too busy to measure on');
  return {
    requestCount,
    requestsPerSecond: results.reduce((sum, result) => sum + result.requestsPerSecond, 0),
    nodeSeconds: (nodesTook() - before.nodes) / requestCount,
    databaseSeconds: (databaseTook() - before.database) / requestCount,
  };
}

/** A share of a second in microseconds, for a note. */
export function microsecondText(seconds: number): string {
  return `${(seconds * 1e6).toFixed(0)} µs`;
}
