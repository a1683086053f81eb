/** Servers that are compared with this program: how they start, and how they are asked. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { CatalogueLine } from '../data/catalogue.ts';
import type { Bench } from '../question.ts';
import { startChild } from './child.ts';
import { Connections, loopOf } from './requests.ts';
import { ask } from './server.ts';

/** A server, and how it is asked for lines. */
export interface Peer extends Asking {
  readonly name: string;
  readonly sizeBytes: number;
  /** Duration of the import; undefined for other programs. */
  readonly importSeconds?: number;
  /** Ids of its processes; their descendants count too. */
  readonly pids: readonly number[];
}

interface Asking {
  /** Returns the first response for a line. */
  readonly first: (line: CatalogueLine) => Promise<string>;
  /** Requests the lines in a loop; returns the number of responses. */
  readonly load: (lines: readonly CatalogueLine[], seconds: number) => Promise<number>;
}

/**
 * Starts a program on the server core, and waits until it listens. Returns its process id; undefined if it is
 * not installed. @param program.path where Debian has it, in the package of the same name.
 */
export async function startInstalled(
  bench: Bench,
  stack: AsyncDisposableStack,
  program: { readonly path: string; readonly args: readonly string[]; readonly url: string },
): Promise<number | undefined> {
  const { path, args, url } = program;
  const name = basename(path);
  if (!existsSync(path)) {
    bench.say(`${path} is not installed, and left out: apt-get install ${name}`);
    return undefined;
  }
  const child = stack.use(startChild(bench, { command: path, args, cores: bench.cores.server }));
  const endsAt = performance.now() + startTimeoutMs;
  while (child.exitCode() === undefined && performance.now() < endsAt) {
    const isListening = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isListening) return child.pid;
    await sleep(20);
  }
  throw new Error(`${name} did not start: ${child.errors().trim()}`);
}

const startTimeoutMs = 60_000;

/** Asks over HTTP. @param pathOf gets true for a path whose response may be cached. */
export function overHttp(url: string, pathOf: (line: CatalogueLine, isHit: boolean) => string): Asking {
  return {
    first: async (line) => (await ask(url + pathOf(line, true))).toString(),
    load: async (lines, seconds) => {
      using connections = new Connections(url, { count: 32 });
      const requests = lines.map((line) => ({ path: pathOf(line, lines.length === 1) }));
      return await connections.send({ next: loopOf(url, requests), seconds });
    },
  };
}

/** Asks a PostgreSQL server by a prepared statement, whose value is the uid of a line. */
export function overSql(uri: string, sql: string): Asking {
  const connected = async <Done>(work: (send: (line: CatalogueLine) => Promise<string>) => Promise<Done>) => {
    // Several processes for one answer would share the one core.
    const client = new pg.Client({ connectionString: uri, options: '-c max_parallel_workers_per_gather=0' });
    await client.connect();
    try {
      return await work(async ({ uid }) => {
        const query = { name: 'line', text: sql, values: [uid], rowMode: 'array' as const };
        return String((await client.query(query)).rows[0]?.[0]);
      });
    } finally {
      await client.end();
    }
  };
  return {
    first: (line) => connected((send) => send(line)),
    load: async (lines, seconds) => {
      const endsAt = performance.now() + 1000 * seconds;
      let at = 0;
      const loop = () =>
        connected(async (send) => {
          for (
            let line = lines[0];
            line !== undefined && performance.now() < endsAt;
            line = lines[at++ % lines.length]
          )
            await send(line);
        });
      await Promise.all(Array.from({ length: 4 }, loop));
      return at;
    },
  };
}

/** Adds up the sizes of all files in a folder. */
export function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, String(name))));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
