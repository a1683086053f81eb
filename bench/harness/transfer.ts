/** The findings of questions 12 and 13: how fast a copy goes, and how much memory it takes. */

import { type Bench, type Finding, roundCount } from '../question.ts';
import { largeTransfer, pointCountOf, smallTransfer } from '../subjects/transfer-catalogues.ts';
import type { ChildResult } from './child.ts';
import { alternate } from './rounds.ts';

/** Runs a large copy and one of a tenth, in turns. */
export async function transferFindings(
  bench: Bench,
  copies: { readonly large: () => Promise<ChildResult>; readonly small: () => Promise<ChildResult> },
): Promise<readonly Finding[]> {
  const peaks = { large: 0, small: 0 };
  const side = <Name extends 'large' | 'small'>(name: Name) => ({
    name,
    measure: async () => {
      const { seconds, memoryPeakBytes } = await copies[name]();
      peaks[name] = Math.max(peaks[name], memoryPeakBytes);
      return pointCountOf(name === 'large' ? largeTransfer : smallTransfer) / seconds;
    },
  });
  const rates = await alternate(bench, [side('large'), side('small')], bench.isQuick ? 1 : roundCount);
  return [
    {
      what: 'plain, start of the program included',
      unit: 'points/s',
      ours: rates.large,
      demand: { of: 'ours', kind: 'at least', must: 2e6, aim: 5e6 },
      notes: [`${(pointCountOf(largeTransfer) / 1e6).toFixed(0)} million points, on all cores`],
    },
    {
      what: 'peak memory',
      unit: 'MB',
      ours: peaks.large / 1e6,
      demand: { of: 'ours', kind: 'at most', must: 300, aim: 300 },
      notes: [`a tenth of the points took ${(peaks.small / 1e6).toFixed(0)} MB`],
    },
  ];
}
