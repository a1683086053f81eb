/** Lines pasted into a shell, in which `plugin-metrics` is a program. */
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { endOf, mainPath, type Run } from '../../support/run-program.ts';
import type { TemporaryDirectory } from '../../support/temporary-directory.ts';

/** Runs the lines in a shell in this folder, which gets the program. */
export function paste(
  directory: TemporaryDirectory,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const program = directory.at('plugin-metrics');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${mainPath}' "$@"\n`);
  chmodSync(program, 0o755);
  const path = `${directory.path}:${process.env['PATH']}`;
  return endOf(
    spawn('sh', ['-ec', lines.join('\n')], {
      cwd: directory.path,
      env: { ...process.env, ...env, PATH: path },
    }),
  );
}

/** Finds the commands to paste in a message: each has a line of its own. */
export function commandsOf(stderr: string): readonly string[] {
  return stderr.split('\n').filter((line) => line.startsWith('plugin-metrics '));
}
