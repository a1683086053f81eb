/** A build that says something else in a few places: the program behind a process that changes what it says. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import type { Build } from '../../build/commit-build.ts';

/** A text that is replaced, once in an answer or in the output of a command. */
export interface Change {
  /** The first line of a request without its version, or a command line: `GET /about`, `export --store random.db`. */
  readonly asked: string;
  /** One byte for each character, as in `to`. */
  readonly from: string;
  readonly to: string;
}

/** Makes the build; its program lies in the folder. */
export function changedBuild(build: Build, changes: readonly Change[], folder: string): Build {
  mkdirSync(folder, { recursive: true });
  const main = join(folder, 'main.mjs');
  const call = `await runChanged(${JSON.stringify(build.main)}, ${JSON.stringify(changes)});`;
  writeFileSync(main, `import { runChanged } from ${JSON.stringify(import.meta.url)};\n${call}\n`);
  return { ...build, name: 'changed', main };
}

/** Runs the program with the arguments of this process, and changes what it says. */
export async function runChanged(main: string, changes: readonly Change[]): Promise<void> {
  const argv = process.argv.slice(2);
  const child = spawn(process.execPath, [main, ...argv], { stdio: ['inherit', 'pipe', 'pipe'] });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const ofCommand = changes.filter(({ asked }) => asked === argv.join(' '));
  let proxy: net.Server | undefined;
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const isServer = argv[0] === 'serve' || argv[0] === 'collect';
  const copies = (['stdout', 'stderr'] as const).map(async (name) => {
    const output: Buffer[] = [];
    for await (const chunk of child[name]) {
      const [, port] = /^listening on http:\/\/127\.0\.0\.1:(\d+)\n/m.exec(String(chunk)) ?? [];
      if (port !== undefined) proxy = await listen(Number(port), changes);
      const address = proxy?.address();
      const ownPort = typeof address === 'object' && address !== null ? `:${address.port}` : '';
      if (isServer) process[name].write(String(chunk).replace(`:${port}`, ownPort));
      else output.push(chunk);
    }
    process[name].write(Buffer.from(changed(Buffer.concat(output).toString('latin1'), ofCommand), 'latin1'));
  });
  await Promise.all(copies);
  process.exitCode = await ended;
  proxy?.close();
  proxy?.unref();
}

/** Passes connections on to a port, and changes the answers that begin after a request of a change. */
async function listen(port: number, changes: readonly Change[]): Promise<net.Server> {
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const upstream = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let due: readonly Change[] = [];
    client.on('data', (chunk) => {
      const [, line = ''] = /^(\S+ \S+) HTTP\/1\.1\r\n/.exec(String(chunk)) ?? [];
      due = changes.filter(({ asked }) => asked === line);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) =>
      client.write(Buffer.from(changed(chunk.toString('latin1'), due), 'latin1')),
    );
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('end', () => other.end());
      one.on('close', () => other.destroy());
      // A reset closes both.
      one.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function changed(text: string, changes: readonly Change[]): string {
  return changes.reduce((result, { from, to }) => result.replace(from, () => to), text);
}
