/** Random tests with more iterations than `npm run test:slow` has time for. Run by `npm run test:faults`. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { endOf } from '../support/run-program.ts';
import { amount, isLong } from './support/form.ts';

/**
 * Tests by the variable with their number of turns. `npm run test:slow` has as many of those without a quick
 * number.
 */
const tests = [
  // The store has fewer than 100,000 bits, so the long form flips all of them.
  { file: 'sqlite/bit-flips', variable: 'FLIPS', quick: 2000, long: 100_000 },
  { file: 'archive/mutations', variable: 'MUTATIONS', quick: 300, long: 20_000 },
  { file: 'cli/keeping-kills', variable: 'MOMENTS', quick: 0, long: 200 },
  { file: 'cli/mirror-kills', variable: 'MOMENTS', quick: 0, long: 200 },
  { file: 'collect/collect-kills', variable: 'MOMENTS', quick: 0, long: 100 },
  { file: 'serve/workers', variable: 'MOMENTS', quick: 0, long: 200 },
];

for (const { file, variable, ...counts } of tests.filter(({ quick }) => isLong || quick > 0)) {
  test(`${file} with ${amount(counts)} turns`, async (t) => {
    const path = fileURLToPath(new URL(`../${file}.slow.ts`, import.meta.url));
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const env = { ...inherited, [`PLUGIN_METRICS_TEST_${variable}`]: String(amount(counts)) };
    const run = await endOf(spawn(process.execPath, ['--test', '--test-reporter=spec', path], { env }));
    assert.equal(run.code, 0, run.stdout);
    for (const [, said = ''] of run.stdout.matchAll(/^ℹ (\d+ (?:found|refused|were killed)\b.*)$/gm))
      t.diagnostic(said);
  });
}
