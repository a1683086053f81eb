/** VictoriaMetrics, a database for time series. */
import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { Bench } from '../question.ts';
import { requireProgram } from './machine.ts';
import { ask, type Server, startServer } from './server.ts';

/** An empty database. */
export interface VictoriaMetrics extends Server {
  /** Imports lines of JSON, and waits until they can be read. */
  readonly importLines: (texts: Iterable<string>) => Promise<void>;
  /** Merges all parts, and measures the folder with the values and their times. */
  readonly sizeBytes: () => Promise<number>;
}

/** Starts it on the core for servers. @throws MissingProgram if it is not installed. */
export async function startVictoriaMetrics(bench: Bench): Promise<VictoriaMetrics> {
  const command = requireProgram('victoria-metrics', 'victoria-metrics');
  const folder = await mkdtemp(join(bench.folder, 'victoria-metrics-'));
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const args = [
    `-storageDataPath=${folder}`,
    `-httpListenAddr=${address}`,
    '-retentionPeriod=100y',
    '-search.disableCache',
  ];
  const server = await startServer(bench, { command, args, cores: bench.cores.server }, async () => {
    await ask(`${url}/health`);
    return url;
  });
  return {
    ...server,
    importLines: async (texts) => {
      for (const body of texts) await send(`${url}/api/v1/import`, body);
      await ask(`${url}/internal/force_flush`);
    },
    sizeBytes: async () => {
      await ask(`${url}/internal/force_merge`);
      const readSize = () => folderBytes(join(folder, 'data'));
      // The merge goes on after its answer.
      for (let size = await readSize(), before = Number.NaN; ; before = size, size = await readSize()) {
        if (size === before) return size;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    },
  };
}

async function send(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
}

/** Adds up the files of a folder, again if one goes meanwhile: the database merges its files when it likes. */
async function folderBytes(folder: string): Promise<number> {
  for (let tryCount = 1; ; tryCount++) {
    try {
      let sizeBytes = 0;
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
        if (entry.isFile()) sizeBytes += (await stat(join(entry.parentPath, entry.name))).size;
      return sizeBytes;
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone || tryCount === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}
