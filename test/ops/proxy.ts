/** nginx, Caddy and haproxy with the configurations of ops/, in front of a test server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDocument } from '../doc-tables.ts';
import { freePort } from '../support/free-port.ts';

/** A running proxy; disposing of it ends it. */
export interface RunningProxy extends AsyncDisposable {
  readonly url: string;
}

/** The path of its host that a proxy has for the server; it may take it off. */
export interface ProxyPath {
  readonly base: string;
  readonly strips: boolean;
}

const atRoot: ProxyPath = { base: '', strips: false };

/** Starts nginx with ops/nginx.conf in front of a server, and of a collector where there is one. */
export async function startNginx(
  serverUrl: string,
  _adminUrl?: string,
  collectorUrl?: string,
  { base, strips }: ProxyPath = atRoot,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-nginx-'));
  const port = await freePort();
  const site = replaced(readDocument('ops/nginx.conf'), {
    '/var/cache/nginx-plugin-metrics': join(folder, 'cache'),
    'server 127.0.0.1:8080;': `server ${new URL(serverUrl).host};`,
    'http://127.0.0.1:8090': collectorUrl ?? serverUrl,
    'listen 80;': `listen 127.0.0.1:${port};`,
    'listen [::]:80;': '',
    'location / {': `location ${base}/ {`,
    'proxy_pass http://plugin_metrics;': `proxy_pass http://plugin_metrics${strips ? '/' : ''};`,
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // Started by root, nginx would run its workers as a user who may not write here.
  const { uid, username } = userInfo();
  const config = `
    ${uid === 0 ? `user ${username};` : ''}
    daemon off;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log warn;
    events {}
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${site}
    }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const argv = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
  return start({ program: findProgram('nginx'), argv, folder, port, base });
}

/** Starts Caddy with ops/Caddyfile in front of a server, and of a collector where there is one. */
export async function startCaddy(
  serverUrl: string,
  _adminUrl?: string,
  collectorUrl?: string,
  { base, strips }: ProxyPath = atRoot,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-caddy-'));
  const port = await freePort();
  // A handle for every path would take the reports, too.
  const [begin, end] =
    base === ''
      ? ['', '']
      : [`redir ${base} ${base}/\n\t${strips ? 'handle_path' : 'handle'} ${base}/* {\n\t`, '}\n'];
  const site = replaced(readDocument('ops/Caddyfile'), {
    'metrics.example.org {': `http://127.0.0.1:${port} {`,
    '\treverse_proxy 127.0.0.1:8080': `\t${begin}reverse_proxy ${new URL(serverUrl).host}`,
    'reverse_proxy @reports 127.0.0.1:8090': `reverse_proxy @reports ${new URL(collectorUrl ?? serverUrl).host}`,
  });
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n}\n${site}${end}`);
  const argv = ['run', '--config', file, '--adapter', 'caddyfile'];
  return start({ program: findProgram('caddy'), argv, folder, port, base });
}

/** Starts haproxy with ops/haproxy.cfg in front of a server; without an admin listener it counts as ready. */
export async function startHaproxy(serverUrl: string, adminUrl?: string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'plugin-metrics-haproxy-'));
  const port = await freePort();
  const check = adminUrl === undefined ? '' : ` check port ${new URL(adminUrl).port}`;
  const config = replaced(readDocument('ops/haproxy.cfg'), {
    'bind :80\n': `bind 127.0.0.1:${port}\n`,
    'server one 127.0.0.1:8080 check port 9090': `server one ${new URL(serverUrl).host}${check}`,
  });
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  return start({ program: findProgram('haproxy'), argv: ['-db', '-f', file], folder, port, base: '' });
}

/** Finds a program; throws an Error that says how to install it. */
export function findProgram(name: string, packageName = name): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(`this test needs ${name}: "apt-get install ${packageName}" has it`);
}

/** A response as it arrived, not decoded. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends one request on a new connection. */
export async function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
  }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<RawAnswer> {
  const sent = request(url, { method, headers, agent: false }).end();
  const [response] = await once(sent, 'response');
  const body = Buffer.concat(await Array.fromAsync(response));
  return { status: response.statusCode, headers: response.headers, body };
}

/** Replaces each of these pieces of a text; throws if one is missing. */
function replaced(text: string, pieces: Readonly<Record<string, string>>): string {
  return Object.entries(pieces).reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`the configuration has no ${from}`);
    return before.replace(from, to);
  }, text);
}

async function start(about: {
  readonly program: string;
  readonly argv: readonly string[];
  readonly folder: string;
  readonly port: number;
  readonly base: string;
}): Promise<RunningProxy> {
  const { program, argv, folder, port, base } = about;
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const child = spawn(program, argv, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + 60_000; ; await sleep(20)) {
    if (
      await ask(`${url}${base}/openapi.json`).then(
        ({ status }) => status === 200,
        () => false,
      )
    )
      break;
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${program} does not answer: ${log}`);
  }
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      await end(child);
      rmSync(folder, { recursive: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
