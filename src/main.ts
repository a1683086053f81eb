#!/usr/bin/env node
/** argv → command → exit code. Loads nothing else until it is known that this Node can run it. */

import os from 'node:os';

const oldestNode = 26;

const major = Number(process.versions.node.split('.')[0]);
if (major < oldestNode) {
  process.stderr.write(
    `error: plugin-metrics needs Node ${oldestNode} or newer; this is ${process.version}\n`,
  );
  process.exitCode = 1;
} else {
  // Before the first use of the pool. A thread has an arena of malloc of its own, which keeps what large bodies took: the four
  // that Node starts on any machine hold 100 MB more than two, and on two cores do no more.
  process.env['UV_THREADPOOL_SIZE'] ??= String(Math.min(4, Math.max(2, os.availableParallelism())));
  const { keepCompiledCode } = await import('./cli/compiled-code.ts');
  keepCompiledCode();
  const { runProgram } = await import('./cli/program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}
