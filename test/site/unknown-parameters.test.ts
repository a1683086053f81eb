// Unknown query parameters are not part of a cache key, so that `?junk=1`, `?junk=2` cannot fill the cache.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { browserFileEndpoints } from '../../src/site/assets/browser-files.ts';
import { createSite } from '../../src/site/site.ts';
import { countFromNow } from '../support/metrics.ts';
import { ask } from './images/support/ask.ts';
import { serveSite } from './pages/support/site-client.ts';

/** A target for every path of the site, with known parameters if it has any. */
const targets: Readonly<Record<string, string>> = {
  ...Object.fromEntries(browserFileEndpoints().map(({ path }) => [path, path])),
  '/about': '/about',
  '/embed/{file}': '/embed/1337.svg?theme=dark',
  '/embed/{pluginId}/{file}': '/embed/1337/players.png?width=200&height=100&scale=1',
  '/signatures/{softwareUrl}/{file}': '/signatures/bukkit/ExamplePlugin.svg?title=a',
  '/embed/lines.svg': '/embed/lines.svg?charts=1337:players,2048:players&mode=sum',
  '/embed/lines.png': '/embed/lines.png?charts=1337:players&width=200&height=100&scale=1',
  '/embed/shares.svg': '/embed/shares.svg?charts=1337:os&view=history&range=7d',
  '/embed/shares.png': '/embed/shares.png?charts=1337:os&width=200&height=100&scale=1',
  '/badge/{pluginId}/{file}': '/badge/1337/players.json?label=a',
  '/badge/sum.svg': '/badge/sum.svg?charts=1337:players,2048:players&style=plastic',
  '/badge/sum.json': '/badge/sum.json?charts=1337:players&color=red',
  '/': '/?q=example&sort=name&dir=desc&software=bukkit&page=1',
  '/software/{softwareUrl}': '/software/bukkit?sort=players',
  '/owner/{ownerId}': '/owner/42?sort=name',
  '/plugin/{softwareUrl}/{pluginName}/{pluginId}': '/plugin/bukkit/ExamplePlugin/1337?range=7d&hide=os:Linux',
  '/plugin/{pluginId}': '/plugin/1337?range=7d&only=os:Linux',
  '/compare':
    '/compare?charts=1337:players,2048:players&mode=indexed&axis=log&range=7d&hide=2048:players&add=a',
  '/favicon.svg': '/favicon.svg',
  '/favicon.ico': '/favicon.ico',
  '/robots.txt': '/robots.txt',
  '/sitemap.xml': '/sitemap.xml',
  '/sitemap/{file}': '/sitemap/1.xml',
  '/plugin/{softwareUrl}/{pluginName}/{pluginId}/{file}':
    '/plugin/bukkit/ExamplePlugin/1337/players.csv?range=7d',
  '/plugin/{softwareUrl}/{pluginName}/{pluginId}/feed.atom': '/plugin/bukkit/ExamplePlugin/1337/feed.atom',
  '/plugin/{softwareUrl}/{pluginName}/{pluginId}/feed.json': '/plugin/bukkit/Other/1337/feed.json',
  '/plugin/{softwareUrl}/{pluginName}': '/plugin/bukkit/ExamplePlugin?range=7d',
  '/global/{softwareUrl}': '/global/bukkit?range=7d',
  '/author/{ownerName}': '/author/ExampleUser',
  '/plugin-list': '/plugin-list',
};

const server = await serveSite();

describe('unknown parameters', () => {
  test('are tested on every path of the site', () => {
    assert.deepEqual(
      Object.keys(targets).sort(),
      createSite()
        .endpoints.map(({ path }) => path)
        .sort(),
    );
  });

  for (const [path, target] of Object.entries(targets)) {
    const withJunk = (junk: string) => `${target}${target.includes('?') ? '&' : '?'}${junk}`;

    test(`make no difference at ${path}`, async () => {
      const first = await ask(server, withJunk('junk=1'));
      const countNew = await countFromNow();
      for (const junk of ['junk=2', 'junk=3&junk=4', 'theme2=dark&charts2=', '__proto__=5&constructor=6']) {
        const again = await ask(server, withJunk(junk));
        assert.equal(again.status, first.status, junk);
        assert.equal(again.headers.location, first.headers.location);
        assert.ok(again.body.equals(first.body), junk);
      }
      if (first.status === 200) {
        assert.equal(await countNew('responses_total', { cache: 'hit' }), 4);
        assert.equal(await countNew('responses_total', { cache: 'miss' }), 0);
      } else {
        // A redirect is not cached, and passes on no unknown parameters.
        assert.match(String(first.status), /^30[28]$/);
        assert.doesNotMatch(first.headers.location ?? '', /junk/);
      }
      assert.equal(await countNew('cached_bytes'), 0);
    });
  }
});
