// The picture of one chart: /embed/{pluginId}/{chartId}.svg
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSite } from '../../../src/site/site.ts';
import { museumId } from '../../http/support/sample.ts';
import { serveSample } from '../../http/support/test-server.ts';

const server = await serveSample(createSite({ maxPngsAtOnce: 1 }));

test('a line chart is a picture', async () => {
  const response = await fetch(`${server.url}/embed/${museumId}/players.svg?width=400&theme=light`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
  assert.match(
    await response.text(),
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="400" height="300"/,
  );
});
