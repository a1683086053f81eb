/** The random tests of the suite with more turns than it has time for. Run by `npm run test:faults`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { endOf } from '../support/run-program.ts';
import { amount } from './support/form.ts';

const flips = amount({ quick: 2000, long: 10_000 });
const mutations = amount({ quick: 300, long: 20_000 });

for (const [what, file, name, turns] of [
  [`${flips} flipped bits of a store`, 'sqlite/bit-flips', 'PLUGIN_METRICS_TEST_FLIPS', flips],
  [
    `${mutations} changed archives of each kind`,
    'archive/mutations',
    'PLUGIN_METRICS_TEST_MUTATIONS',
    mutations,
  ],
] as const) {
  test(`${what}: each is found, or has no effect`, async (t) => {
    const path = fileURLToPath(new URL(`../${file}.test.ts`, import.meta.url));
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const env = { ...inherited, [name]: String(turns) };
    const run = await endOf(spawn(process.execPath, ['--test', '--test-reporter=spec', path], { env }));
    assert.equal(run.code, 0, run.stdout);
    for (const [, said = ''] of run.stdout.matchAll(/^ℹ (\d+ found, .*)$/gm)) t.diagnostic(said);
  });
}
