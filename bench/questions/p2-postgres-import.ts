/** Question P2: how fast an archive comes into PostgreSQL. */
import { catalogueArchive } from '../data/archive.ts';
import { startPostgres } from '../harness/postgres.ts';
import { runProgram } from '../harness/program-run.ts';
import { alternate } from '../harness/rounds.ts';
import { keptArchive } from '../harness/stores.ts';
import { type Question, roundCount } from '../question.ts';
import { pointCountOf, smallTransfer } from '../subjects/transfer-catalogues.ts';

export const postgresImport: Question = {
  id: 'P2',
  title: 'PostgreSQL: import of an archive into a new store',
  programs: [],
  measure: async (bench) => {
    await using postgres = await startPostgres(bench, bench.cores.twoServers);
    const archive = await keptArchive(bench, {
      name: smallTransfer.name,
      key: smallTransfer,
      blocks: () => catalogueArchive(smallTransfer),
    });
    const pointCount = pointCountOf(smallTransfer);
    let round = 0;
    const importOnce = async () => {
      const uri = await postgres.makeDatabase(`import_${++round}`);
      const { seconds } = await runProgram(bench, ['import', '--store', uri, archive]);
      return pointCount / seconds;
    };
    const rounds = bench.isQuick ? 1 : roundCount;
    const { rate } = await alternate(bench, [{ name: 'rate', measure: importOnce }], rounds);
    return [
      {
        what: 'plain, start of the program included',
        unit: 'points/s',
        ours: rate,
        demand: { of: 'ours', kind: 'at least', must: 500_000, aim: 2e6 },
        notes: [
          `${(pointCount / 1e6).toFixed(1)} million points; the database shares the two cores with the importer, ` +
            'and waits for its disk (`fsync` is on)',
        ],
      },
    ];
  },
};
