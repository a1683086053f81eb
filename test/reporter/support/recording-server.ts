/** A server that keeps the requests that it gets, and answers each with the same status. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** A request with its inflated body. */
export interface RecordedRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly report: Record<string, unknown>;
}

export class RecordingServer implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly #server: Server;

  private constructor(status: number, headers: Readonly<Record<string, string>>) {
    this.#server = createServer(async (request, response) => {
      const body = await buffer(request);
      this.requests.push({
        method: request.method,
        path: request.url,
        headers: request.headers,
        report: JSON.parse(gunzipSync(body).toString()),
      });
      response.writeHead(status, headers).end('why not\n\x1b[2J');
    });
  }

  static async start(status = 202, headers = {}): Promise<RecordingServer> {
    const server = new RecordingServer(status, headers);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
