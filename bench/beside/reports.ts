/** Measures reports that `collect` accepts, by its CPU time. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportedCatalogue, reportMessages } from '../data/reports.ts';
import { Connections } from '../harness/requests.ts';
import { startListening } from '../harness/server.ts';
import { keptLines } from '../harness/stores.ts';
import type { Bench } from '../question.ts';
import { cpuOfTurns, onBoth, type Part, pairOf } from './part.ts';

const pluginCount = 2000;

/**
 * Number of reports per turn, and of repetitions. In each repetition both sides have two turns. The same
 * number of repetitions warms up the processes first.
 */
const turnCount = 1000;
const repeatCount = 6;

/** Accepts gzip-compressed reports over persistent connections. */
export const collecting: Part = {
  rows: [{ id: 'reports', what: 'reports accepted', unit: '/CPU s' }],
  prepare: async (sides) => {
    const stores = await onBoth(sides, (side) =>
      keptLines(side, 'reported', { pluginCount }, () => reportedCatalogue(pluginCount)),
    );
    const reportCount = 2 * turnCount * 2 * repeatCount;
    const messages = [...reportMessages({ pluginCount, reportCount })];
    return (measure) =>
      measure('reports', async () => {
        await using stack = new AsyncDisposableStack();
        const servers = await onBoth(sides, async (side, name) => {
          const store = join(side.folder, `reports-${name}-${process.hrtime.bigint()}.db`);
          await copyFile(stores[name], store);
          return stack.use(await startCollect(side, store));
        });
        const connections = pairOf(servers, ({ url }) =>
          stack.use(new Connections(url, { count: 50, status: 202 })),
        );
        const sent = { present: 0, earlier: 0 };
        const next = (name: 'present' | 'earlier') => () => messages[sent[name]++] ?? Buffer.of();
        const send = () =>
          cpuOfTurns(sides, servers, {
            repeatCount,
            turn: (name) => connections[name].send({ next: next(name), count: turnCount }),
          });
        await send();
        return pairOf(await send(), (seconds) => (2 * repeatCount * turnCount) / seconds);
      });
  },
};

/** Starts `collect` with a slot that does not end during the measurement, when it would be closed. */
function startCollect(bench: Bench, store: string) {
  const limits = ['--per-address', '1000000', '--max-connections-per-address', '10000'];
  return startListening(bench, ['collect', '--store', store, '--port', '0', '--slot', '1d', ...limits]);
}
