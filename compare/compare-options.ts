/** Compares servers with other options, and stores that are empty or large. */
import { compareAdmin, compareServers } from './compare-servers.ts';
import type { Request } from './request.ts';
import { someRequests } from './requests/endpoints.ts';
import type { Run } from './run-commands.ts';

/** Compares them, one after the other. */
export async function compareOptions(run: Run): Promise<void> {
  const publicly = [
    '--live-fields',
    '--max-age',
    '5',
    '--public-url',
    'https://public.example.org',
    '--log-requests',
  ];
  await compareServers(run, { data: 'random', options: publicly, requests: someRequests });
  await compareServers(run, { data: 'random', options: ['--no-site'], requests: someRequests });
  await compareServers(run, {
    data: 'random',
    options: ['--workers', '2', '--admin-port', '0'],
    requests: (catalogue, seed) => someRequests(catalogue, seed).slice(0, 50),
    more: compareAdmin,
  });
  await compareServers(run, {
    data: 'empty',
    requests: () =>
      paths(
        '/',
        '/api/v1/plugins',
        '/api/v1/software',
        '/api/v2/plugins',
        '/api/v2/software',
        '/about',
        '/compare',
        '/sitemap.xml',
        '/?q=x',
        '/api/v1/plugins/1',
        '/embed/1.svg',
        '/software/x',
      ),
  });
  await compareServers(run, {
    data: 'sample',
    options: ['--rate-limit', '1'],
    requests: () =>
      Array.from({ length: 14 }, (_, index) => ({ kind: 'rate limit', target: `/api/v1/plugins/${index}` })),
  });
  const long = '/api/v1/plugins/5/charts/servers/data?maxElements=';
  await compareServers(run, {
    data: 'long',
    requests: () => [
      ...paths(
        `${long}900000`,
        `${long}700000`,
        '/api/v2/plugins/5/archive',
        '/api/v2/plugins/5/export.csv',
        '/api/v2/series?charts=5:servers&range=all',
        '/plugin/bukkit/Long/5/servers.csv',
      ),
      ...paths(
        '/api/v2/series?charts=5:servers&range=all&step=30m',
        '/embed/5/servers.svg?range=all',
        '/api/v2/plugins/5',
        '/plugin/bukkit/Long/5?range=all',
      ),
      ...['/api/v2/plugins/5/archive', `${long}900000`, '/api/v2/plugins/5/export.csv'].flatMap(
        (target): Request[] => [
          { kind: 'long answers', target, headers: { 'Accept-Encoding': 'gzip' } },
          { kind: 'long answers', target, method: 'HEAD' },
          { kind: 'long answers', target, headers: { 'If-None-Match': '*' } },
        ],
      ),
    ],
  });
}

function paths(...targets: readonly string[]): readonly Request[] {
  return targets.map((target) => ({ kind: target, target }));
}
