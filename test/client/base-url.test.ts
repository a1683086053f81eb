// The URLs that the client requests: the base URL and the paths below it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PluginMetricsClient, PluginMetricsError } from '../../src/client/client.ts';
import { json, serveAnswers } from './support/answering-server.ts';

for (const end of ['', '/', '//'])
  test(`a base URL with a path ending in "prefix${end}" works`, async () => {
    const server = await serveAnswers({ '/some/prefix/api/v1/plugins': json([]) });
    assert.deepEqual(await new PluginMetricsClient(`${server.url}/some/prefix${end}`).listPlugins(), []);
    assert.deepEqual(await new PluginMetricsClient(new URL(`${server.url}/some/prefix`)).listPlugins(), []);
  });

const refused = [
  'metrics.example.org',
  '',
  '/api',
  'localhost:8080',
  'ftp://example.org',
  'alice:secret@example.org',
  'https://alice:secret@example.org',
  'https://alice@example.org',
  'https://example.org/?key=secret',
  'https://example.org/#secret',
  'https://secret:alice',
];

for (const base of refused)
  test(`the base URL "${base}" is refused and not shown`, () => {
    assert.throws(
      () => new PluginMetricsClient(base),
      (error) => {
        assert.ok(error instanceof PluginMetricsError);
        assert.equal(
          error.message,
          'the base URL: must begin with http:// or https://, without user, password, query and fragment',
        );
        assert.doesNotMatch(JSON.stringify(error) + error.stack?.split('\n')[0], /secret|alice/);
        return true;
      },
    );
  });

test('ids are sent in the path unchanged, whatever they contain', async () => {
  const server = await serveAnswers({});
  const client = new PluginMetricsClient(server.url);
  await assert.rejects(client.getChart(1, 'a/../b?c#d e'));
  assert.deepEqual(server.targets(), [
    '/api/v1/plugins/1/charts/a%2F..%2Fb%3Fc%23d%20e',
    '/api/v1/plugins/1/charts/a%2F..%2Fb%3Fc%23d%20e/',
  ]);
});

for (const chartId of ['', '.', '..'])
  test(`the chart id "${chartId}" would change the path and is refused`, async () => {
    const server = await serveAnswers({});
    await assert.rejects(new PluginMetricsClient(server.url).getChart(1, chartId), PluginMetricsError);
    assert.deepEqual(server.targets(), []);
  });
