/** Question P3: what a point of a busy line costs in the table of PostgreSQL. */
import { type Catalogue, fullLines, slots } from '../data/catalogue.ts';
import { lineValues, missingValue } from '../data/line-values.ts';
import { postgresStore } from '../harness/both-stores.ts';
import { startPostgres } from '../harness/postgres.ts';
import type { Finding, Question } from '../question.ts';

const busy: Catalogue = {
  name: 'only-busy',
  kind: 'busy',
  pluginCount: 50,
  linesPerPlugin: 3,
  snapshotsPerPlugin: 0,
  slotCount: slots.year,
  fullHistoryEvery: 1,
};

export const postgresBytesPerPoint: Question = {
  id: 'P3',
  title: 'PostgreSQL: bytes per point on busy lines',
  programs: [],
  measure: async (bench) => {
    await using postgres = await startPostgres(bench, bench.cores.twoServers);
    const uri = await postgresStore(bench, postgres, busy);
    const [sizes = {}] = await postgres.query(
      uri,
      `select pg_table_size('plugin_metrics.chunk') as table_bytes,
        pg_total_relation_size('plugin_metrics.chunk') as total_bytes`,
    );
    let pointCount = 0;
    for (const line of fullLines(busy)) {
      for (const value of lineValues({ ...line, seed: line.uid })) if (value !== missingValue) pointCount++;
    }
    const finding = (what: string, bytes: number): Finding => ({
      what,
      unit: 'bytes/point',
      ours: bytes / pointCount,
      demand: { of: 'ours', kind: 'at most', must: 1.6, aim: 1.2 },
    });
    return [
      finding('the table', Number(sizes['table_bytes'])),
      finding('the table and its key', Number(sizes['total_bytes'])),
    ];
  },
};
