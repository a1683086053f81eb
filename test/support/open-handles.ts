/**
 * Ends a test file that does not end by itself, and fails it: something is still open a minute after its last test. Every test script
 * loads it into its processes. Node's own option ends a file at once, and loses results that are still on their way.
 */
import { after } from 'node:test';

const graceMs = 60_000;

// The process that starts the test files is none of them.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) {
  after(() => {
    setTimeout(() => {
      process.stderr.write(`open after the last test: ${process.getActiveResourcesInfo().join(', ')}\n`);
      process.exit(1);
    }, graceMs).unref();
  });
}
