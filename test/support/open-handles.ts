/**
 * Ends a test file that does not end by itself, and fails it: a minute after its last test, a handle is still
 * open. Every test script loads this file into its processes. Node's own option ends a file immediately, and
 * loses results that are still being sent.
 */
import { after } from 'node:test';

const graceMs = 60_000;

// The process that starts the test files runs no tests itself.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) {
  after(() => {
    setTimeout(() => {
      process.stderr.write(`open after the last test: ${process.getActiveResourcesInfo().join(', ')}\n`);
      process.exit(1);
    }, graceMs).unref();
  });
}
