/** Question 10: whether an import keeps those waiting who ask. */
import { setTimeout as sleep } from 'node:timers/promises';
import { laterArchive } from '../data/archive.ts';
import { dataPath, lastTimestamp, linesOf, slotMs } from '../data/catalogue.ts';
import { askGood } from '../harness/ask.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { runProgram } from '../harness/program-run.ts';
import { startServe } from '../harness/server.ts';
import { copiedStore, keptArchive } from '../harness/stores.ts';
import type { Question } from '../question.ts';
import { ecosystem } from '../subjects/catalogues.ts';

/** 167 points for each of 60,000 lines are ten million. */
const later = { firstSlot: 0, slotCount: 167 };
const requestsPerSecond = 500;
const askedPluginCount = 500;

export const besideImport: Question = {
  id: '10',
  title: 'p99 of `maxElements=1` during an import of 10 million points',
  programs: [],
  measure: async (bench) => {
    const archive = await keptArchive(bench, {
      name: 'ten-million-points-later',
      key: { ...ecosystem, ...later },
      blocks: () => laterArchive(ecosystem, later),
    });
    const store = await copiedStore(bench, ecosystem);
    await using server = await startServe(bench, { store });
    const paths = Array.from({ length: askedPluginCount }, (_, index) => index + 1)
      .flatMap((pluginId) => linesOf(ecosystem, pluginId))
      .map((line) => dataPath(line, '?maxElements=1'));
    const probe = { baseUrl: server.url, paths, requestsPerSecond };
    const alone = await probeDuring(bench, probe, () => sleep(2000, undefined, { signal: bench.signal }));
    let importSeconds = 0;
    const during = await probeDuring(bench, probe, async () => {
      const { load } = bench.cores;
      const imported = await runProgram(bench, ['import', '--store', store, archive], {
        cores: load,
        isYielding: true,
      });
      importSeconds = imported.seconds;
    });
    await refuseStale(server.url + (paths[0] ?? '/'));
    return [
      {
        what: 'into the same store, without an error',
        unit: 'ms',
        ours: during.p99Ms,
        demand: { of: 'ours', kind: 'at most', must: 50, aim: 10 },
        notes: [
          `${requestsPerSecond} requests a second for 1,000 charts, whether answered or not: ${probeText(during)}`,
          `without the import: ${probeText(alone)}`,
          `the import took ${importSeconds.toFixed(1)} s on the core of the load, to which it gave way`,
        ],
      },
    ];
  },
};

/** A finished import shows in the next answer. */
async function refuseStale(url: string): Promise<void> {
  const { bytes } = await askGood(url);
  const expected = lastTimestamp + later.slotCount * slotMs;
  if (!bytes.toString('latin1').startsWith(`[[${expected},`)) {
    throw new Error(`after the import ${url} answers ${bytes}, not the point of ${expected}`);
  }
}
