/** Question 16: the points that every half-hour brings. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { laterArchive } from '../data/archive.ts';
import { runProgram } from '../harness/program-run.ts';
import { alternate } from '../harness/rounds.ts';
import { copiedStore } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';

export const tick: Question = {
  id: '16',
  title: 'one new point for each of 60,000 lines',
  programs: [],
  measure: async (bench) => {
    const store = await copiedStore(bench, ecosystem);
    let firstSlot = 0;
    const measure = async () => {
      const archive = join(bench.folder, `tick-${firstSlot}.ndjson`);
      await writeFile(archive, laterArchive(ecosystem, { firstSlot, slotCount: 1 }));
      firstSlot++;
      const { seconds } = await runProgram(bench, ['import', '--store', store, archive]);
      return seconds;
    };
    const { ours } = await alternate(bench, [{ name: 'ours', measure }]);
    return [
      {
        what: 'imported, start of the program included',
        unit: 's',
        ours,
        demand: { of: 'ours', kind: 'at most', must: 5, aim: 1 },
      },
    ];
  },
};
