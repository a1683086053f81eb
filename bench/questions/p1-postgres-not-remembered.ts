/** Question P1: the default month from PostgreSQL, none of which is remembered, beside the same from SQLite. */
import { join } from 'node:path';
import { catalogueArchive } from '../data/archive.ts';
import { fullLines } from '../data/catalogue.ts';
import { costRound, microsecondText, months, postgresStore } from '../harness/both-stores.ts';
import { checkMonths, shuffledMonths, smallCache } from '../harness/not-remembered.ts';
import { startPostgres } from '../harness/postgres.ts';
import { alternate, median } from '../harness/rounds.ts';
import { startServe } from '../harness/server.ts';
import { importBlocks } from '../harness/stores.ts';
import type { Question } from '../question.ts';

export const postgresNotRemembered: Question = {
  id: 'P1',
  title: 'PostgreSQL beside SQLite: default month, not remembered',
  programs: ['wrk'],
  measure: async (bench) => {
    await using postgres = await startPostgres(bench, bench.cores.load);
    const uri = await postgresStore(bench, postgres, months);
    const file = join(bench.folder, 'p1.db');
    await importBlocks(bench, file, catalogueArchive(months));
    const requests = shuffledMonths(fullLines(months));
    await using ours = await startServe(bench, { store: uri, args: smallCache });
    await using sqlite = await startServe(bench, { store: file, args: smallCache });
    await checkMonths(ours, requests);
    await checkMonths(sqlite, requests);
    const databaseCosts: number[] = [];
    const rates = await alternate(bench, [
      {
        name: 'postgres',
        measure: async () => {
          const round = await costRound(bench, { nodes: [ours], requests, postgres });
          databaseCosts.push(round.databaseSeconds);
          return 1 / round.nodeSeconds;
        },
      },
      {
        name: 'sqlite',
        measure: async () => 1 / (await costRound(bench, { nodes: [sqlite], requests })).nodeSeconds,
      },
    ]);
    return [
      {
        what: "for a second of the service's CPU",
        unit: 'requests/CPU s',
        ours: rates.postgres,
        limit: rates.sqlite,
        demand: { of: 'ratio', kind: 'at least', must: 0.35, aim: 0.7 },
        notes: [
          'the rate is requests by the CPU time of the serve process; the database shares the two cores with it and ' +
            `with the load, and takes another ${microsecondText(median(databaseCosts))} for an answer`,
        ],
      },
    ];
  },
};
