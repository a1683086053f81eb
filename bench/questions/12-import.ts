/** Question 12: how fast an archive comes in. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogueArchive } from '../data/archive.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { runProgram } from '../harness/program-run.ts';
import { keptArchive } from '../harness/stores.ts';
import { transferFindings } from '../harness/transfer.ts';
import type { Bench, Question } from '../question.ts';
import { largeTransfer, smallTransfer } from '../subjects/transfer-catalogues.ts';

export const importArchive: Question = {
  id: '12',
  title: 'import of an archive into a new store',
  programs: [],
  measure: async (bench) => {
    const large = await archiveOf(bench, largeTransfer);
    const small = await archiveOf(bench, smallTransfer);
    return await transferFindings(bench, {
      large: () => importOnce(bench, large),
      small: () => importOnce(bench, small),
    });
  },
};

function archiveOf(bench: Bench, catalogue: Catalogue): Promise<string> {
  return keptArchive(bench, {
    name: catalogue.name,
    key: catalogue,
    blocks: () => catalogueArchive(catalogue),
  });
}

async function importOnce(bench: Bench, archive: string) {
  const store = join(bench.folder, 'imported.db');
  const result = await runProgram(bench, ['import', '--store', store, archive]);
  await rm(store);
  return result;
}
