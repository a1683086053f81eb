/**
 * More work than a server can do: memory stays bounded, cache hits are served, and it recovers at once. Run
 * by `npm run test:faults`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSampleStore } from '../http/support/test-server.ts';
import { amount } from './support/form.ts';
import { serveProgram } from './support/served-program.ts';

const seconds = amount({ quick: 6, long: 300 });
const cached = '/api/v1/plugins/1337/charts/players/data';
const floods = {
  'long lines': {
    targetAt: (at: number) => `${cached}?maxElements=${((at * 7919) % 100_003) + 1}`,
    mostMebibytes: 160,
  },
  // Far more of them are answered, each with an entry in the cache.
  badges: { targetAt: (at: number) => `/badge/1337/players.svg?label=${at}`, mostMebibytes: 300 },
};

for (const [what, { targetAt, mostMebibytes }] of Object.entries(floods)) {
  test(`under a flood of uncached ${what} memory is bounded, cache hits are served, and the server recovers`, async (t) => {
    await using server = await serveProgram(await makeSampleStore());
    await server.get(cached);
    let until = performance.now() + 1000;
    const counts = { answered: 0, refused: 0, hits: 0 };
    let at = 0;
    const client = async () => {
      while (performance.now() < until) {
        const { status } = await server.get(targetAt(at++));
        assert.ok(status === 200 || status === 503, `${status}`);
        counts[status === 200 ? 'answered' : 'refused']++;
      }
    };
    const reader = async () => {
      for (; performance.now() < until; await sleep(20)) {
        assert.equal((await server.get(cached)).status, 200);
        counts.hits++;
      }
    };
    const flood = () => Promise.all([reader(), ...Array.from({ length: 192 }, client)]);
    await flood();
    const residentBefore = server.residentBytes();
    until = performance.now() + 1000 * seconds;
    await flood();
    const grown = (server.residentBytes() - residentBefore) / 1024 / 1024;
    const askedAt = performance.now();
    assert.equal((await server.get(cached)).status, 200);
    const recoveredMs = performance.now() - askedAt;
    t.diagnostic(
      `${JSON.stringify(counts)}; ${grown.toFixed(0)} MiB more, back after ${recoveredMs.toFixed(0)} ms`,
    );
    assert.ok(counts.hits > 10);
    assert.ok(grown < mostMebibytes, `${grown} MiB`);
    assert.ok(recoveredMs < 2000, `${recoveredMs} ms`);
    for (const line of server.stderr().trim().split('\n'))
      assert.match(line, /^$|the server is overloaded; try again later/);
  });
}
