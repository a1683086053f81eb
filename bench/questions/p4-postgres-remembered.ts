/** Question P4: a remembered default month, the store being PostgreSQL, beside the same with SQLite. */
import { join } from 'node:path';
import { catalogueArchive } from '../data/archive.ts';
import { dataPath } from '../data/catalogue.ts';
import { costRound, months, postgresStore } from '../harness/both-stores.ts';
import { startPostgres } from '../harness/postgres.ts';
import { alternate } from '../harness/rounds.ts';
import { startServe } from '../harness/server.ts';
import { importBlocks } from '../harness/stores.ts';
import type { Listening } from '../harness/wait.ts';
import type { Question } from '../question.ts';
import { exampleLine } from '../subjects/example-line.ts';

export const postgresRemembered: Question = {
  id: 'P4',
  title: 'PostgreSQL beside SQLite: default month, remembered',
  programs: ['wrk'],
  measure: async (bench) => {
    await using postgres = await startPostgres(bench, bench.cores.load);
    const uri = await postgresStore(bench, postgres, months);
    const file = join(bench.folder, 'p4.db');
    await importBlocks(bench, file, catalogueArchive(months));
    const requests = [{ path: dataPath(exampleLine(months)) }];
    await using ours = await startServe(bench, { store: uri });
    await using sqlite = await startServe(bench, { store: file });
    // By CPU time, because the database and the load want the other core both.
    const rateOf = async (node: Listening) =>
      1 / (await costRound(bench, { nodes: [node], requests })).nodeSeconds;
    const rates = await alternate(bench, [
      { name: 'postgres', measure: () => rateOf(ours) },
      { name: 'sqlite', measure: () => rateOf(sqlite) },
    ]);
    return [
      {
        what: "for a second of the service's CPU",
        unit: 'requests/CPU s',
        ours: rates.postgres,
        limit: rates.sqlite,
        demand: { of: 'ratio', kind: 'at least', must: 0.95, aim: 1 },
        notes: [
          'the database shares the core of the load; it is asked four times a second, by the watch alone',
        ],
      },
    ];
  },
};
