/**
 * Question P5: what three serve processes on one database bring against one. Three nodes need a core each, the
 * database and the load others: on a machine with fewer, the costs are measured and the rates follow from them.
 */
import { availableParallelism } from 'node:os';
import { fullLines } from '../data/catalogue.ts';
import { type CostRound, costRound, microsecondText, months, postgresStore } from '../harness/both-stores.ts';
import { shuffledMonths, smallCache } from '../harness/not-remembered.ts';
import { startPostgres } from '../harness/postgres.ts';
import { alternate, median } from '../harness/rounds.ts';
import { startServe } from '../harness/server.ts';
import type { Question } from '../question.ts';

/** Three nodes, two for the database, one for the load. */
const coresNeeded = 6;

export const postgresThreeNodes: Question = {
  id: 'P5',
  title: 'PostgreSQL: three serve processes against one',
  programs: ['wrk'],
  measure: async (bench) => {
    const { twoServers: cores } = bench.cores;
    const all = availableParallelism() >= coresNeeded ? `0-${availableParallelism() - 1}` : cores;
    await using postgres = await startPostgres(bench, all);
    const uri = await postgresStore(bench, postgres, months);
    const requests = shuffledMonths(fullLines(months));
    const node = () => startServe(bench, { store: uri, args: smallCache, cores: all });
    await using first = await node();
    await using second = await node();
    await using third = await node();
    const rounds = { one: [] as CostRound[], three: [] as CostRound[] };
    const side = (name: 'one' | 'three') => ({
      name,
      measure: async () => {
        const nodes = name === 'one' ? [first] : [first, second, third];
        const round = await costRound(bench, { nodes, requests, postgres });
        rounds[name].push(round);
        return round.requestsPerSecond;
      },
    });
    const measured = await alternate(bench, [side('one'), side('three')]);
    const cost = {
      one: median(rounds.one.map(({ nodeSeconds }) => nodeSeconds)),
      three: median(rounds.three.map(({ nodeSeconds }) => nodeSeconds)),
      database: median(rounds.three.map(({ databaseSeconds }) => databaseSeconds)),
    };
    if (availableParallelism() >= coresNeeded) {
      return [
        {
          what: 'default month, not remembered, measured',
          unit: 'requests/s',
          ours: measured.three,
          limit: measured.one,
          demand: { of: 'ratio', kind: 'at least', must: 2.5, aim: 3 },
        },
      ];
    }
    const databaseCores = Math.ceil((3 * cost.database) / cost.three);
    return [
      {
        what: 'calculated, three nodes with a core each',
        unit: 'requests/s',
        ours: 3 / cost.three,
        limit: 1 / cost.one,
        demand: { of: 'ratio', kind: 'at least', must: 2.5, aim: 3 },
        isCalculated: true,
        notes: [
          `measured: a request takes ${microsecondText(cost.one)} of CPU of one node, ${microsecondText(cost.three)} of ` +
            `one of three, and ${microsecondText(cost.database)} of the database; all of it, with the load, on ` +
            `${availableParallelism()} cores, where three nodes answered ${(measured.three / measured.one).toFixed(2)} times ` +
            'as much as one',
          'calculated, not measured: a node with a core of its own answers 1 second ÷ that; so three need ' +
            `${databaseCores} core${databaseCores === 1 ? '' : 's'} for the database. Contention between cores is not in it`,
        ],
      },
    ];
  },
};
