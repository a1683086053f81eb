/** Random tests with more iterations than `npm run test:slow` has time for. Run by `npm run test:faults`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { endOf } from '../support/run-program.ts';
import { amount, isLong } from './support/form.ts';

// The store has fewer than 100,000 bits, so the long form flips all of them.
const flips = amount({ quick: 2000, long: 100_000 });
const mutations = amount({ quick: 300, long: 20_000 });

moreTurns(
  `${isLong ? 'all' : flips} bits of a store, flipped one at a time, are found or have no effect`,
  'sqlite/bit-flips.slow.ts',
  {
    PLUGIN_METRICS_TEST_FLIPS: flips,
  },
);
moreTurns(
  `${mutations} changed archives of each kind are refused, or are good`,
  'archive/mutations.slow.ts',
  {
    PLUGIN_METRICS_TEST_MUTATIONS: mutations,
  },
);
moreTurns(
  `${mutations} runs of strange archives are refused, or stored for good`,
  'archive/strange-records.slow.ts',
  {
    PLUGIN_METRICS_TEST_MUTATIONS: mutations,
  },
);
// `npm run test:slow` already has as many as the quick form would run.
if (isLong) {
  const moments = { PLUGIN_METRICS_TEST_MOMENTS: 200 };
  moreTurns(
    'commands killed at 200 moments leave what was, or what is to be',
    'cli/keeping-kills.slow.ts',
    moments,
  );
  moreTurns('mirrors killed at 200 moments end as undisturbed ones', 'cli/mirror-kills.slow.ts', moments);
  moreTurns('collectors killed at 200 moments lose and double nothing', 'collect/collect-kills.slow.ts', {
    PLUGIN_METRICS_TEST_MOMENTS: 100,
  });
  moreTurns('workers killed at 200 moments of a SIGHUP are as many again', 'serve/workers.slow.ts', moments);
}

/** Declares a test that runs another one with more iterations. */
function moreTurns(name: string, file: string, turns: Readonly<Record<string, number>>): void {
  test(name, async (t) => {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const given = Object.entries(turns).map(([variable, count]) => [variable, String(count)]);
    const env = { ...inherited, ...Object.fromEntries(given) };
    const run = await endOf(spawn(process.execPath, ['--test', '--test-reporter=spec', path], { env }));
    assert.equal(run.code, 0, run.stdout);
    for (const [, said = ''] of run.stdout.matchAll(/^ℹ (\d+ (?:found|refused|were killed)\b.*)$/gm))
      t.diagnostic(said);
  });
}
