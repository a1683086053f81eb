/** Question 13: how fast an archive goes out. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../harness/program-run.ts';
import { keptStore } from '../harness/stores.ts';
import { transferFindings } from '../harness/transfer.ts';
import type { Bench, Question } from '../question.ts';
import { largeTransfer, smallTransfer } from '../subjects/transfer-catalogues.ts';

export const exportArchive: Question = {
  id: '13',
  title: 'export of the same',
  programs: [],
  measure: async (bench) => {
    const large = await keptStore(bench, largeTransfer);
    const small = await keptStore(bench, smallTransfer);
    return await transferFindings(bench, {
      large: () => exportOnce(bench, large),
      small: () => exportOnce(bench, small),
    });
  },
};

async function exportOnce(bench: Bench, store: string) {
  const archive = join(bench.folder, 'exported.ndjson');
  const result = await runProgram(bench, ['export', '--store', store, archive]);
  await rm(archive);
  return result;
}
