/** The upper limit: nginx serving files, configured for speed. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { Bench } from '../question.ts';
import { programPath } from './machine.ts';
import { ask, type Server, startServer } from './server.ts';

/** Starts nginx with one worker on the core for servers; `gzipBytes` is sent to clients that accept gzip. */
export async function startNginx(
  bench: Bench,
  file: { readonly path: string; readonly bytes: Uint8Array; readonly gzipBytes?: Uint8Array },
): Promise<Server> {
  const folder = await mkdtemp(join(bench.folder, 'nginx-'));
  const filePath = join(folder, 'files', file.path);
  await mkdir(dirname(filePath), { recursive: true });
  await writeFile(filePath, file.bytes);
  if (file.gzipBytes !== undefined) await writeFile(`${filePath}.gz`, file.gzipBytes);
  const port = await freePort();
  const configPath = join(folder, 'nginx.conf');
  await writeFile(configPath, config(folder, port));
  const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', configPath];
  const url = `http://127.0.0.1:${port}`;
  return startServer(bench, { command: programPath('nginx'), args, cores: bench.cores.server }, async () => {
    await ask(url + file.path);
    return url;
  });
}

function config(folder: string, port: number): string {
  const { uid, username } = userInfo();
  // Started by root, nginx would run its worker as a user who may not read the files.
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
