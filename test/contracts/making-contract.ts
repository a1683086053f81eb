/**
 * The contract for programs that create the same new store: one creates it; the others wait, and then
 * continue in the created store.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Store } from '../../src/model/store.ts';
import { archiveText, linesIn, softwareLine } from '../support/archive-text.ts';
import { endOf, startProgram } from '../support/run-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { waitUntil } from '../support/wait-until.ts';
import { exportFrom } from './store-contract.ts';

const first = archiveText([softwareLine({ id: 1, url: 'first' })]);
const second = archiveText([softwareLine({ id: 2, url: 'second' })]);
const both = archiveText([...linesIn(first), ...linesIn(second)]);

/**
 * The end of the first program, the command of the second and its exit code, and the final contents of the
 * store.
 */
const cases: ReadonlyArray<
  readonly [end: 'ends' | 'is killed', argv: readonly string[], code: number, text: string]
> = [
  ['ends', ['import'], 0, both],
  ['is killed', ['import'], 0, second],
  ['ends', ['restore'], 1, first],
  ['is killed', ['restore'], 0, second],
];

/** Declares the tests. `isBeingMade` is true once a program has begun to create the store. */
export function makingContract(
  name: string,
  makeStore: () => Promise<Store>,
  isBeingMade: (store: Store) => Promise<boolean>,
): void {
  describe(`${name}: two programs that make the same new store`, { concurrency: 2 }, () => {
    for (const [end, argv, code, text] of cases)
      test(`${argv} waits for the first, says so, and goes on when that ${end}`, async () => {
        using directory = temporaryDirectory();
        const file = directory.at('second.ndjson');
        writeFileSync(file, second);
        const store = await makeStore();
        const of = ['--store', store.givenName];
        const making = startProgram(['import', ...of, '-']);
        const made = endOf(making);
        making.stdin.write(first.slice(0, -1));
        await waitUntil(() => isBeingMade(store));
        const waiting = startProgram([...argv, ...of, file]);
        let said = '';
        waiting.stderr.on('data', (bytes) => {
          said += bytes;
        });
        const ended = endOf(waiting);
        await waitUntil(() => said !== '');
        assert.equal(said, 'waiting for another import\n');
        if (end === 'ends') making.stdin.end('\n');
        else making.kill('SIGKILL');
        assert.equal((await made).code, end === 'ends' ? 0 : null);
        const run = await ended;
        assert.equal(run.code, code, run.stderr);
        if (code === 1) assert.match(run.stderr, /\nerror: there is a store at \S+ already/);
        assert.equal(await exportFrom(store), text);
      });
  });
}
