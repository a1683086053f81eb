/** The limit: nginx handing out files, set up as fast as it goes. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Bench } from '../question.ts';
import { ask } from './ask.ts';
import { startChild } from './child.ts';
import { getProgram } from './programs.ts';
import { type Listening, waitFor } from './wait.ts';

/** A file that nginx hands out. */
export interface ServedFile {
  /** The path of the URL, which is also that of the file. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** What it sends to those who accept gzip; left out: the same. */
  readonly gzipBytes?: Uint8Array;
}

const startTimeoutMs = 10_000;

/** Starts nginx with one worker on the core for servers. */
export async function startNginx(bench: Bench, file: ServedFile): Promise<Listening> {
  const folder = await mkdtemp(join(bench.folder, 'nginx-'));
  const filePath = join(folder, 'files', file.path);
  await mkdir(dirname(filePath), { recursive: true });
  await writeFile(filePath, file.bytes);
  if (file.gzipBytes !== undefined) await writeFile(`${filePath}.gz`, file.gzipBytes);
  const port = await freePort();
  const configPath = join(folder, 'nginx.conf');
  await writeFile(configPath, config(folder, port));
  const child = await startChild(bench, {
    command: getProgram('nginx'),
    args: ['-p', folder, '-e', join(folder, 'error.log'), '-c', configPath],
    cores: bench.cores.server,
  });
  const url = `http://127.0.0.1:${port}`;
  return waitFor(bench, child, {
    timeoutMs: startTimeoutMs,
    findUrl: async () =>
      (await ask(`${url}${file.path}`).catch(() => undefined))?.status === 200 ? url : undefined,
  });
}

function config(folder: string, port: number): string {
  const { uid, username } = userInfo();
  // Started by root, nginx would hand its worker to a user who may not read the files.
  const user = uid === 0 ? `user ${username};` : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${user}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  etag on;
  gzip_static on;
  keepalive_timeout 600s;
  keepalive_requests 1000000000;
  open_file_cache max=1000 inactive=600s;
  open_file_cache_valid 600s;
  default_type "application/json; charset=utf-8";
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${folder}/files;
  }
}
`;
}

/** A port that nobody listens on; nginx cannot pick one itself. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
