/** The program serving a store in a process of its own, with its use of the machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Serving, type ServingOptions, startServing } from '../../serve/support/serving.ts';

/** A server; disposing of it sends SIGTERM. */
export interface ServedProgram extends Serving {
  readonly get: (target: string) => Promise<{ readonly status: number; readonly text: string }>;
  readonly residentBytes: () => number;
  readonly handleCount: () => number;
  readonly cpuSeconds: () => number;
}

/** Serves a store; `argv` are further arguments. */
export async function serveProgram(
  store: string,
  { argv = [], ...options }: ServingOptions & { readonly argv?: readonly string[] } = {},
): Promise<ServedProgram> {
  const serving = await startServing(['--store', store, ...argv], options);
  const statistics = (name: string) => readFileSync(`/proc/${serving.pid}/${name}`, 'utf8');
  return {
    ...serving,
    async get(target) {
      const response = await fetch(serving.url + target);
      return { status: response.status, text: await response.text() };
    },
    residentBytes: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(statistics('status'))?.[1]) * 1024,
    handleCount: () => readdirSync(`/proc/${serving.pid}/fd`).length,
    cpuSeconds() {
      // After the name of the program in parentheses: user and system time in hundredths of a second.
      const fields = statistics('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
  };
}
