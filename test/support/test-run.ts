/** The setup of a test run (`--test-global-setup`): what its files share, which run in processes of their own. */
import { fileURLToPath } from 'node:url';
import { sampleFile } from '../http/support/sample-file.ts';
import { importFile } from './stores.ts';
import { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts';

/** Variable with the path of a store of the sample, to be copied; not set where a test file runs by itself. */
export const sampleVariable = 'PLUGIN_METRICS_TEST_SAMPLE';

let directory: TemporaryDirectory | undefined;

/** Imports the sample, and has Node keep what it compiles: both cost more CPU time than most files of tests. */
export async function globalSetup(): Promise<void> {
  // V8 misses branches of functions that come out of the cache.
  if (process.env['NODE_V8_COVERAGE'] !== undefined) process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('../../node_modules/.cache/node', import.meta.url),
  );
  directory = temporaryDirectory();
  const store = directory.at('sample.db');
  await importFile(store, sampleFile);
  process.env[sampleVariable] = store;
}

/** Removes the store. */
export function globalTeardown(): void {
  directory?.[Symbol.dispose]();
}
