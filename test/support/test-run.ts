/**
 * The setup of a test run (`--test-global-setup`): prepares what the test files share, which run in processes
 * of their own.
 */
import { fileURLToPath } from 'node:url';
import { sampleFile } from '../http/support/sample-file.ts';
import { importFile } from './stores.ts';
import { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts';

/** The variable with the path of a sample store to copy; it is not set if a test file runs by itself. */
export const sampleVariable = 'PLUGIN_METRICS_TEST_SAMPLE';

let directory: TemporaryDirectory | undefined;

/**
 * Imports the sample, and enables the compile cache of Node: importing and compiling cost more CPU time than
 * most test files.
 */
export async function globalSetup(): Promise<void> {
  // V8's coverage misses branches of functions from the cache.
  if (process.env['NODE_V8_COVERAGE'] !== undefined) process.env['NODE_DISABLE_COMPILE_CACHE'] = '1';
  process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
    new URL('../../node_modules/.cache/node', import.meta.url),
  );
  directory = temporaryDirectory();
  const store = directory.at('sample.db');
  await importFile(store, sampleFile);
  process.env[sampleVariable] = store;
}

/** Removes the sample store. */
export function globalTeardown(): void {
  directory?.[Symbol.dispose]();
}
