/** A webhook that answers as a test wants it, and keeps the bodies that it received. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** Body that a webhook received: an item of a JSON Feed, or a message for Discord. */
export interface Sent {
  readonly id?: string;
  readonly title?: string;
  readonly plugin?: { readonly id: number };
  readonly embeds?: readonly Readonly<Record<string, unknown>>[];
}

/** Answers a request, whose body has been read. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** The secret part of the address. */
export const secretPath = '/api/webhooks/1/verysecrettoken';

/** Starts a webhook. Each request takes the next of the behaviours; those after them get 204. */
export async function startWebhook(...behaviours: Behaviour[]) {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const blocks: Buffer[] = await request.toArray();
    sent.push(JSON.parse(Buffer.concat(blocks).toString()));
    const behave = behaviours.shift();
    if (behave === undefined) response.writeHead(204).end();
    else behave(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}${secretPath}`), sent, behaviours };
}

/** Answers with a status. */
export function answers(status: number, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) => response.writeHead(status, headers).end('no');
}
