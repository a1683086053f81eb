// Cache keys of images: equivalent requests share an entry, and different pictures never do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../support/seed.ts';
import { ask } from './support/ask.ts';
import { serveImages } from './support/image-server.ts';

const server = await serveImages();
/** A cache without room for anything. */
const forgetful = await serveImages({ cacheBytes: 1 });

const paths = [
  '/embed/1.svg',
  '/embed/7.svg',
  '/embed/1/players.svg',
  '/embed/1/servers.svg',
  '/embed/1/v1.2.svg',
  '/embed/1/logo.svg.svg',
  '/embed/1/__proto__.svg',
  '/signatures/bukkit/Example.Plugin.svg',
  '/signatures/bukkit/Twice.svg',
  '/signatures/other.software/Twice.svg',
  '/badge/1/players.svg',
  '/badge/1/players.json',
  '/badge/1/v1.2.svg',
] as const;
const anyQuery = fc.record(
  {
    theme: fc.constantFrom('', 'light', 'dark', 'auto', 'transparent'),
    width: fc.constantFrom('', '800', '0800', '400', '200'),
    height: fc.constantFrom('300', '200', '100'),
    range: fc.constantFrom('1d', '7d', '30d', '1y', 'all', ' '),
    title: fc.constantFrom('', 'a', 'a&width=200', 'a br', 'x gzip', '=%&#+', 'ä'),
    label: fc.constantFrom('', 'a', 'a&color=red', '%26'),
    color: fc.constantFrom('', 'blue', 'red', '#0F0', '0f0'),
    style: fc.constantFrom('flat', 'plastic'),
    view: fc.constantFrom('', 'now', 'history'),
    unit: fc.constantFrom('percent', 'count', ' '),
    other: fc.string(),
  },
  { requiredKeys: [] },
);

test('a server with a cache sends the same responses as one without', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), anyQuery, async (path, query) => {
      const target = `${path}?${new URLSearchParams(query)}`;
      for (const coding of ['identity', 'gzip']) {
        const headers = { 'Accept-Encoding': coding };
        const [kept, made] = [
          await ask(server, target, { headers }),
          await ask(forgetful, target, { headers }),
        ];
        assert.ok(kept.body.equals(made.body), `${target} ${coding}`);
        assert.equal(kept.headers.etag, made.headers.etag);
        assert.equal(kept.headers['content-type'], made.headers['content-type']);
      }
    }),
    { numRuns: 250 },
  );
});
