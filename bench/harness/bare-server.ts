/**
 * Node's HTTP server with a handler that writes one prepared message to every request: the upper limit for `serve`. It runs
 * as a process of its own: this file as a program, with the message in base64 as its argument.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { allocator, oneHelper } from '../../src/cli/process-settings.ts';
import type { Bench } from '../question.ts';
import { type Server, startServer } from './server.ts';

/** Starts the bare server on the core for servers. */
export function startBareServer(bench: Bench, message: Buffer): Promise<Server> {
  // The settings with which `serve` starts again.
  const variables = Object.entries(allocator).map(([name, value]) => `${name}=${value}`);
  const args = [
    ...variables,
    process.execPath,
    oneHelper,
    fileURLToPath(import.meta.url),
    message.toString('base64'),
  ];
  const child = { cores: bench.cores.server, command: 'env', args };
  return startServer(bench, child, async ({ output }) => /^http:\S+$/m.exec(output())?.[0]);
}

/** The whole response to a request as bytes. It must have a Content-Length, or no body. */
export async function rawMessage(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  let received = Buffer.alloc(0);
  for await (const bytes of socket) {
    received = Buffer.concat([received, bytes]);
    const headEnd = received.indexOf('\r\n\r\n') + 4;
    const [, length = '0'] = /^content-length: (\d+)/im.exec(received.toString('latin1', 0, headEnd)) ?? [];
    if (headEnd > 4 && received.length >= headEnd + Number(length)) break;
  }
  socket.destroy();
  return received;
}

function serveMessage(message: Buffer): void {
  const server = createServer({ keepAliveTimeout: 65_000, requireHostHeader: false }, (_, response) =>
    write(response, message),
  );
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
}

/** The server knows the end of a response only if it is ended explicitly. */
function write(response: ServerResponse, message: Buffer): void {
  response.socket?.write(message);
  response.emit('finish');
}

if (import.meta.main) serveMessage(Buffer.from(process.argv[2] ?? '', 'base64'));
