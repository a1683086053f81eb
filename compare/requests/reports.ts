/** Reports of servers to a collector: accepted, repeated and refused. */
import { gzipSync } from 'node:zlib';
import type { Request } from '../request.ts';

const path = '/api/v2/data/bukkit';

/** Requests whose order matters: a server reports once in a slot. The plugin is one of Bukkit. */
export function reportRequests(pluginId: number): readonly Request[] {
  const post = (body: unknown, rest: Partial<Request> = {}): Request => {
    const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const name = `${rest.target ?? path} with ${String(bytes).slice(0, 100)}`;
    return { kind: 'reports', method: 'POST', target: path, name, body: bytes, ...rest };
  };
  const good = report('a', pluginId);
  const charts = [
    { chartId: 'own', data: { value: 5 } },
    { chartId: 'pie', data: { values: { a: 1, b: 2 } } },
    { chartId: 7, data: null },
  ];
  return [
    post(good),
    post(good),
    post(report('b', pluginId)),
    post(gzipSync(JSON.stringify(report('c', pluginId))), { headers: { 'Content-Encoding': 'gzip' } }),
    post({ ...report('d', pluginId), service: { id: pluginId, customCharts: charts } }),
    ...[
      '/submitData',
      '/submitData/bukkit',
      '/submitData/bungeecord',
      '/api/v2/data/nope',
      '/api/v2/data/',
      '/',
      '/nope',
      `${path}/`,
      '/api/v1/plugins',
      '/%ff',
    ].map((target) => post(report(target, pluginId), { target })),
    post(
      { serverUUID: 'e', plugins: [{ id: pluginId }, { pluginName: 'Example' }, { pluginName: 'nope' }] },
      { target: '/submitData' },
    ),
    post({ serverUUID: 'e', plugins: [{ pluginName: 'nope' }] }, { target: '/submitData' }),
    ...[
      'players',
      '',
      '{}',
      '[]',
      'null',
      '{"serverUUID":1}',
      '{"serverUUID":"x","service":{}}',
      '{"serverUUID":"x","service":{"id":"1"}}',
      '\ufeff{}',
      '{"a":1e999}',
    ].map((body) => post(body)),
    ...[1, 3, 424242, 0, -1, 1.5, 9007199254740992].map((id) => post(report('f', id))),
    post({ ...good, serverUUID: 'x'.repeat(5000) }),
    post(Buffer.of(0x22, 0xff, 0x22)),
    ...['br', 'gzip', 'gzip, gzip', 'identity', 'deflate', ''].map((coding) =>
      post(good, { headers: { 'Content-Encoding': coding } }),
    ),
    post('x'.repeat(256 * 1024 + 1)),
    post(gzipSync(Buffer.alloc(1024 * 1024 + 1, 0x20)), { headers: { 'Content-Encoding': 'gzip' } }),
    ...['GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE'].map(
      (method): Request => ({ kind: 'reports', method, target: path }),
    ),
  ];
}

function report(serverUUID: string, id: number): object {
  return {
    serverUUID,
    playerAmount: 7,
    onlineMode: 1,
    bukkitVersion: '1.21-9-ab12 (MC: 1.21)',
    bukkitName: 'Paper',
    javaVersion: '21.0.1',
    osName: 'Linux',
    osArch: 'amd64',
    osVersion: '6.1',
    coreCount: 4,
    service: { id, customCharts: [] },
  };
}
