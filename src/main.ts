#!/usr/bin/env node
/** Entry of the program. Checks the version of Node before it loads anything else. */

const oldestNode = 26;

const major = Number(process.versions.node.split('.')[0]);
if (major < oldestNode) {
  process.stderr.write(
    `error: plugin-metrics needs Node ${oldestNode} or newer; this is ${process.version}\n`,
  );
  process.exitCode = 1;
} else {
  const { limitAllocator, limitThreadPool } = await import('./cli/native-memory.ts');
  if (process.argv[2] === 'serve') limitAllocator();
  limitThreadPool();
  const { runProgram } = await import('./cli/program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}
