// Error pages: their text, and that they need no store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError } from '../../../src/model/app-error.ts';
import { replaceMethods } from '../../http/support/test-server.ts';
import { checkHtml } from './support/html-check.ts';
import { serveSite } from './support/site-client.ts';

const site = await serveSite();
const unavailable = () => {
  throw new AppError('unavailable', 'secret.db is gone', { kind: 'store-unavailable' });
};
const broken = await serveSite(undefined, {
  wrap: (reader) => replaceMethods(reader, () => ({ findPlugins: unavailable, getPlugin: unavailable })),
});

describe('an error page', () => {
  test('offers a search and a link to the first page', async () => {
    const { status, headers, body } = await site.get('/nothing/here');
    assert.equal(status, 404);
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    assert.match(headers.get('vary') ?? '', /Accept/);
    const tags = checkHtml(body, site.url);
    assert.ok(tags.some(({ name, attributes }) => name === 'form' && attributes.get('action') === '/'));
    assert.ok(tags.some(({ attributes }) => attributes.get('href') === '/'));
    assert.ok(tags.some(({ attributes }) => attributes.get('content') === 'noindex'));
  });

  test('works while the store is unreadable, and reveals nothing about it', async () => {
    for (const path of [
      '/',
      '/plugin/1337',
      '/plugin/bukkit/ExamplePlugin/1337',
      '/compare?charts=1337:players',
    ]) {
      const { status, headers, body } = await broken.get(path);
      assert.deepEqual([status, headers.get('retry-after')], [503, '5'], path);
      assert.match(body, /Try again in a few seconds/);
      assert.doesNotMatch(body, /secret/);
      checkHtml(body, broken.url);
    }
  });
});
