/** Compares servers with other options, and stores that are empty or large. */
import { compareAdmin, compareServers, someRequests } from './compare-servers.ts';
import type { Request } from './request.ts';
import type { Run } from './run-commands.ts';

/** Compares them, one after the other. */
export async function compareOptions(run: Run): Promise<void> {
  const publicly = '--live-fields --max-age 5 --public-url https://public.example.org --log-requests';
  await compareServers(run, { data: 'random', options: publicly.split(' '), requests: someRequests });
  await compareServers(run, { data: 'random', options: ['--no-site'], requests: someRequests });
  await compareServers(run, {
    data: 'random',
    options: ['--workers', '2', '--admin-port', '0'],
    requests: (_, catalogue) => someRequests(run, catalogue).slice(0, 50),
    more: (_, asking) => compareAdmin(asking),
  });
  await compareServers(run, { data: 'empty', requests: someRequests });
  await compareServers(run, {
    data: 'sample',
    options: ['--rate-limit', '1'],
    requests: () =>
      Array.from({ length: 14 }, (_, index) => ({ kind: 'rate limit', target: `/api/v1/plugins/${index}` })),
  });
  const points = '/api/v1/plugins/5/charts/servers/data?maxElements=';
  const streamed = [`${points}900000`, '/api/v2/plugins/5/archive', '/api/v2/plugins/5/export.csv'];
  const whole = [
    `${points}700000`,
    '/api/v2/series?charts=5:servers&range=all',
    '/api/v2/series?charts=5:servers&range=all&step=30m',
    '/plugin/bukkit/Long/5/servers.csv',
    '/embed/5/servers.svg?range=all',
    '/plugin/bukkit/Long/5?range=all',
  ];
  await compareServers(run, {
    data: 'long',
    requests: () => [
      ...[...streamed, ...whole].map((target) => ({ kind: 'long answers', target })),
      ...streamed.flatMap((target): Request[] => [
        { kind: 'long answers', target, headers: { 'Accept-Encoding': 'gzip' } },
        { kind: 'long answers', target, method: 'HEAD' },
        { kind: 'long answers', target, headers: { 'If-None-Match': '*' } },
      ]),
    ],
  });
}
