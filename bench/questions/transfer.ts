/** Questions 12, 13, 16 and P2: import and export. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogueArchive, laterArchive } from '../data/archive.ts';
import { type Catalogue, ecosystem, slots } from '../data/catalogue.ts';
import { runProgram } from '../harness/server.ts';
import { copiedStore, keptArchive, keptStore, startPostgres } from '../harness/stores.ts';
import {
  alternate,
  atLeast,
  atMost,
  type Bench,
  type Finding,
  medianOf,
  type Question,
} from '../question.ts';

const what = 'start of the program included';

/** The questions of this file. */
export const transfer: readonly Question[] = [
  { id: '12', title: 'import of an archive into a new store', measure: measureImport },
  { id: '13', title: 'export of the same', isLong: true, measure: measureExport },
  { id: '16', title: 'import of one new point for each of 60,000 lines', measure: measureHalfHour },
  {
    id: 'P2',
    title: 'PostgreSQL: import of an archive into a new store',
    isLong: true,
    measure: measurePostgres,
  },
];

/** 21 million points. */
const large: Catalogue = {
  name: 'large-transfer',
  pluginCount: 12,
  linesPerPlugin: 10,
  snapshotsPerPlugin: 2,
  slotCount: slots.tenYears,
};

/** A tenth of that. */
const small: Catalogue = { ...large, name: 'small-transfer', slotCount: slots.year };

function measureImport(bench: Bench): Promise<readonly Finding[]> {
  const store = join(bench.folder, 'imported.db');
  return measureCopies(bench, store, async (catalogue) => {
    return ['import', '--store', store, await archiveOf(bench, catalogue)];
  });
}

function measureExport(bench: Bench): Promise<readonly Finding[]> {
  const archive = join(bench.folder, 'exported.ndjson');
  return measureCopies(bench, archive, async (catalogue) => {
    return ['export', '--force', '--store', await keptStore(bench, catalogue), archive];
  });
}

/** Runs a command on the large and on the small catalogue; `made` is the file that it creates. */
async function measureCopies(
  bench: Bench,
  made: string,
  command: (catalogue: Catalogue) => Promise<readonly string[]>,
): Promise<readonly Finding[]> {
  const side = async (catalogue: Catalogue) => {
    const args = await command(catalogue);
    return async () => {
      const { seconds, peakBytes } = await runProgram(bench, args);
      await rm(made);
      return { seconds, peakMb: peakBytes / 1e6 };
    };
  };
  const sides = { large: await side(large), small: await side(small) };
  const rounds = await alternate(bench, sides, bench.isQuick ? 1 : 3);
  const [peakMb, smallPeakMb] = [rounds.large, rounds.small].map((side) =>
    Math.max(...side.map((round) => round.peakMb)),
  );
  return [
    {
      what,
      unit: ' M points/s',
      ours: millionsOf(large) / medianOf(rounds.large, ({ seconds }) => seconds),
      demand: atLeast(2, 5),
    },
    {
      what: 'peak memory',
      unit: ' MB',
      ours: peakMb ?? Number.NaN,
      demand: atMost(300, 300),
      notes: [`21 million points, on all cores; a tenth of the points took ${smallPeakMb?.toFixed(0)} MB`],
    },
  ];
}

async function measureHalfHour(bench: Bench): Promise<readonly Finding[]> {
  const store = await copiedStore(bench, ecosystem);
  let firstSlot = 0;
  const importNext = async () => {
    const archive = join(bench.folder, `half-hour-${firstSlot}.ndjson`);
    await writeFile(archive, laterArchive(ecosystem, { firstSlot: firstSlot++, slotCount: 1 }));
    return (await runProgram(bench, ['import', '--store', store, archive])).seconds;
  };
  const { ours } = await alternate(bench, { ours: importNext });
  return [{ what, unit: ' s', ours: medianOf(ours, Number), demand: atMost(5, 1) }];
}

async function measurePostgres(bench: Bench): Promise<readonly Finding[]> {
  await using postgres = await startPostgres(bench);
  const archive = await archiveOf(bench, small);
  const importOnce = async () => {
    const args = ['import', '--store', await postgres.emptyDatabase(), archive];
    return millionsOf(small) / (await runProgram(bench, args)).seconds;
  };
  const { ours } = await alternate(bench, { ours: importOnce }, bench.isQuick ? 1 : 3);
  const notes = ['2.1 million points; the database has one core, and waits for its disk (`fsync` is on)'];
  return [{ what, unit: ' M points/s', ours: medianOf(ours, Number), demand: atLeast(0.5, 2), notes }];
}

function archiveOf(bench: Bench, catalogue: Catalogue): Promise<string> {
  return keptArchive(bench, catalogue, () => catalogueArchive(catalogue));
}

/** Millions of points, except for the few missing ones. */
function millionsOf({ pluginCount, linesPerPlugin, slotCount }: Catalogue): number {
  return (pluginCount * linesPerPlugin * slotCount) / 1e6;
}
