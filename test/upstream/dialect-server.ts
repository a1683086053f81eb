/**
 * A server of the interface with any dialect and any fault: each path sends the response that the test sets.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One response, or what goes wrong instead. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes unchanged; anything else as JSON. */
  readonly body?: unknown;
  readonly fault?: keyof typeof faults;
}

/** A reply, several replies of which the last repeats, or a function of the query. */
export type Route =
  | Reply
  | readonly Reply[]
  | ((query: URLSearchParams, count: number) => Reply | Promise<Reply>);

/** A received request. */
export interface AskedRequest {
  /** With the query. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
}

/** A running server. */
export interface DialectServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly AskedRequest[];
  /** May be changed while it runs. Paths are below `/api/v1`, or begin with `/api/v2`. */
  readonly routes: Map<string, Route>;
  /** Returns the targets requested since the last call. */
  readonly takeTargets: () => string[];
}

/** Replies to a request that no route is for. */
type Otherwise = (request: AskedRequest) => Reply | Promise<Reply>;

const notFound: Otherwise = () => ({ status: 404, body: { title: 'unknown' } });

/** Serves the routes; any other path is 404, unless `otherwise` replies to it. */
export async function serveRoutes(
  routes: Readonly<Record<string, Route>>,
  otherwise: Otherwise = notFound,
): Promise<DialectServer> {
  const table = new Map(Object.entries(routes));
  const requests: AskedRequest[] = [];
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const target = request.url ?? '';
    const asked = { target, headers: request.headers, at: Date.now() };
    requests.push(asked);
    const { pathname, searchParams } = new URL(target, 'http://x');
    const path = pathname.replace('/api/v1', '');
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const route = table.get(path);
    const reply = await (route === undefined ? otherwise(asked) : pick(route, searchParams, count));
    faults[reply.fault ?? 'none'](response, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    routes: table,
    takeTargets: () => requests.splice(0).map(({ target }) => target.replace('/api/v1', '')),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pick(route: Route, query: URLSearchParams, count: number): Reply | Promise<Reply> {
  if (typeof route === 'function') return route(query, count);
  if (!isList(route)) return route;
  return route[Math.min(count, route.length - 1)] ?? {};
}

function isList(route: Reply | readonly Reply[]): route is readonly Reply[] {
  return Array.isArray(route);
}

function textOf({ body = '' }: Reply): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function bytesOf(reply: Reply): Uint8Array {
  return reply.body instanceof Uint8Array ? reply.body : Buffer.from(textOf(reply));
}

function writeHead(
  response: ServerResponse,
  reply: Reply,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers, ...more });
}

const faults = {
  none(response: ServerResponse, reply: Reply): void {
    writeHead(response, reply);
    response.end(bytesOf(reply));
  },
  /** Never sends anything. */
  stalled(_response: ServerResponse, _reply: Reply): void {},
  /** Sends a byte now and then. */
  slow(response: ServerResponse, reply: Reply): void {
    writeHead(response, reply);
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  },
  /** Closes the connection before a response. */
  reset(response: ServerResponse): void {
    response.socket?.resetAndDestroy();
  },
  /** Closes the connection within the body. */
  cut(response: ServerResponse, reply: Reply): void {
    writeHead(response, reply, { 'Content-Length': String(textOf(reply).length) });
    response.write(textOf(reply).slice(0, -5), () => response.socket?.destroy());
  },
  /** A truncated body that HTTP does not mark as such. */
  truncated(response: ServerResponse, reply: Reply): void {
    writeHead(response, reply);
    response.end(textOf(reply).slice(0, -5));
  },
  /** Endless white space, which is valid JSON. */
  endless(response: ServerResponse, reply: Reply): void {
    writeHead(response, reply);
    const block = Buffer.alloc(65_536, ' ');
    const write = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', write);
    write();
  },
};

/** A chart of the interface; the given fields override the defaults. */
export function chart(uid: number, fields: Readonly<Record<string, unknown>> = {}) {
  const usual = { uid, type: 'single_linechart', position: 0, title: 'Players', isDefault: true };
  return { ...usual, data: { lineName: 'Players' }, ...fields };
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that override those of {@link pluginRoutes}. */
export interface PluginRoutesOptions {
  readonly plugin?: Fields;
  /** In the plugin list. */
  readonly listed?: Fields;
  readonly charts?: Fields;
  readonly software?: Fields;
  readonly points?: unknown;
}

/**
 * A server of plugin 7 like the best-known source since 2025-12: without a software list, and with only the
 * id of the software in a plugin. The plugin list is optional.
 */
export function idOnlyRoutes(options: { readonly hasPluginList?: boolean } = {}): Record<string, Route> {
  const software = { id: 1 };
  const { '/software': _, ...routes } = pluginRoutes({
    plugin: { software, isGlobal: false },
    listed: { software },
  });
  if (options.hasPluginList !== true) delete routes['/plugins'];
  return routes;
}

/** A server of plugin 7 with the line `players`. */
export function pluginRoutes(options: PluginRoutesOptions = {}): Record<string, Route> {
  const plugin = { id: 7, name: 'ExamplePlugin', owner: { id: 42, name: 'ExampleUser' } };
  const software = { id: 1, name: 'Bukkit', url: 'bukkit' };
  const charts = { players: chart(70), ...options.charts };
  const points = [
    [1000, 1],
    [2000, 2],
  ];
  return {
    '/plugins': { body: [{ ...plugin, software, isGlobal: false, ...options.listed }] },
    '/software': { body: [{ ...software, globalPlugin: null, ...options.software }] },
    '/plugins/7': { body: { ...plugin, charts, ...options.plugin } },
    '/plugins/7/charts/players/data': { body: options.points ?? points },
  };
}
