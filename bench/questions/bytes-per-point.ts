/** Questions 11 and P3: bytes on disk per point of busy lines, compared with the entropy of their noise. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { catalogueArchive } from '../data/archive.ts';
import { type Catalogue, fullLines, pointCountOf, slots } from '../data/catalogue.ts';
import { entropyBitsPerPoint } from '../data/entropy.ts';
import type { LineKind } from '../data/line-values.ts';
import { importLines, startPostgres } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

/** The questions of this file. */
export const bytesPerPoint: readonly Question[] = [
  { id: '11', title: 'bytes per point on disk', measure: measureSqlite },
  { id: 'P3', title: 'PostgreSQL: bytes per point on busy lines', measure: measurePostgres },
];

async function measureSqlite(bench: Bench): Promise<readonly Finding[]> {
  const busy = onlyKind('busy', 100);
  const bits = entropyBitsPerPoint(fullLines(busy));
  return [
    {
      what: 'busy lines, beside the entropy of their noise',
      unit: ' B',
      ours: await sqliteBytes(bench, busy),
      limit: bits / 8,
      demand: atMost(1.05),
      notes: [`a point of these lines holds ${bits.toFixed(2)} bits that cannot be predicted`],
    },
    {
      what: 'constant lines',
      unit: ' B',
      ours: await sqliteBytes(bench, onlyKind('constant', 100)),
      demand: atMost(0.1, 0.02),
    },
    {
      what: 'all-zero lines',
      unit: ' B',
      ours: await sqliteBytes(bench, onlyKind('dead', 100)),
      demand: atMost(0.1, 0.02),
    },
  ];
}

async function measurePostgres(bench: Bench): Promise<readonly Finding[]> {
  const busy = onlyKind('busy', 50);
  await using postgres = await startPostgres(bench);
  const uri = await postgres.makeStore(busy);
  const finding = async (what: string, size: string): Promise<Finding> => {
    const [row] = await postgres.run(uri, `select ${size}('plugin_metrics.chunk') as bytes`);
    const ours = Number(row?.['bytes']) / pointCountOf(busy);
    return { what, unit: ' B', ours, demand: atMost(1.6, 1.2) };
  };
  return [
    await finding('the table', 'pg_table_size'),
    await finding('the table and its key', 'pg_total_relation_size'),
  ];
}

/** Lines of one kind, each with a year of history. */
function onlyKind(kind: LineKind, pluginCount: number): Catalogue {
  const charts = { linesPerPlugin: 3, snapshotsPerPlugin: 0 };
  return { name: `only-${kind}`, kind, pluginCount, ...charts, slotCount: slots.year };
}

/** Bytes per point: the size of a store with the points minus that of one without. */
async function sqliteBytes(bench: Bench, catalogue: Catalogue): Promise<number> {
  const storeBytes = async (slotCount: number) => {
    const store = join(bench.folder, `${catalogue.name}-${slotCount}.db`);
    await importLines(bench, store, catalogueArchive({ ...catalogue, slotCount }));
    // The last connection to close empties the write-ahead log.
    return statSync(store).size;
  };
  return ((await storeBytes(catalogue.slotCount)) - (await storeBytes(0))) / pointCountOf(catalogue);
}
