/** The program serving a store in a process of its own, with its use of the machine. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { startProgram } from '../../support/run-program.ts';

/** A server; disposing of it sends SIGTERM. */
export interface ServedProgram extends AsyncDisposable {
  readonly url: string;
  /** URL of the admin listener; empty without one. */
  readonly adminUrl: string | undefined;
  readonly pid: number;
  readonly get: (target: string) => Promise<{ readonly status: number; readonly text: string }>;
  /** Its standard error so far. */
  readonly log: () => string;
  readonly residentBytes: () => number;
  readonly handleCount: () => number;
  readonly cpuSeconds: () => number;
}

/** Serves a store; `start` replaces the way the program is started. */
export async function serveProgram(
  store: string,
  start: (argv: readonly string[]) => ChildProcessWithoutNullStreams = startProgram,
): Promise<ServedProgram> {
  const child = start(['serve', '--port', '0', '--store', store]);
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const ended = once(child, 'close');
  const first = await Promise.race([once(child.stdout, 'data'), ended]);
  const [url, adminUrl] = String(first[0]).match(/http:\S+/g) ?? [];
  if (url === undefined || child.pid === undefined) throw new Error(`the server did not start: ${log}`);
  const { pid } = child;
  const statistics = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  return {
    url,
    adminUrl,
    pid,
    log: () => log,
    async get(target) {
      const answer = await fetch(url + target);
      return { status: answer.status, text: await answer.text() };
    },
    residentBytes: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(statistics('status'))?.[1]) * 1024,
    handleCount: () => readdirSync(`/proc/${pid}/fd`).length,
    cpuSeconds() {
      // After the name of the program in parentheses: user and system time in hundredths of a second.
      const fields = statistics('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
