/**
 * Measures the upper limit for responses on Node's server: a loop that writes one prepared message per
 * request. This file runs as a program.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const message = Buffer.from(process.argv[2] ?? '', 'latin1');

const server = createServer({ keepAliveTimeout: 65_000, optimizeEmptyRequests: true }, (_, response) => {
  response.socket?.write(message);
  response.emit('finish');
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
