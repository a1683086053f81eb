/** The admin listener over a store whose server is down. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { register } from '@prometheus-io/client';
import { AdminPages, startAdminServer } from '../../src/admin/admin-pages.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { ErrorLog } from '../../src/http/logs.ts';
import { parseMetrics } from '../admin/metrics-text.ts';
import { importInto } from '../store-contract.ts';
import { archiveText } from '../support/archive-text.ts';
import { withReads } from '../support/reads.ts';
import { waitUntil } from '../support/wait-until.ts';
import { crashableServer, type TestServer } from './test-server.ts';

/** Declares the test. */
export function serverReadinessTests(shared: TestServer): void {
  test('PostgreSQL: /ready is 503 and plugin_metrics_ready 0 while the server is down, and as before afterwards', async () => {
    await using server = await crashableServer(shared);
    const store = parseStoreName(await server.emptyDatabase());
    await importInto(store, archiveText([]));
    await using reader = withReads(await store.openReader());
    const pages = new AdminPages({
      version: '1.2.3',
      reader: () => reader,
      findReason: () => undefined,
      renderCounts: () => register.metrics(),
      errorLog: new ErrorLog({ write: () => assert.fail('nothing is to be logged') }),
    });
    await using admin = await startAdminServer(pages, { host: '127.0.0.1', port: 0 });
    const readiness = async () => {
      const response = await fetch(`${admin.url}/ready`);
      return [response.status, await response.text()] as const;
    };
    const metrics = async () => {
      const response = await fetch(`${admin.url}/metrics`);
      assert.equal(response.status, 200);
      return parseMetrics(await response.text());
    };
    const unreachable = [503, '{"status":"not ready","reason":"the store is unreachable"}'] as const;
    assert.deepEqual(await readiness(), [200, '{"status":"ready"}']);
    assert.equal((await metrics()).get('plugin_metrics_ready'), 1);
    await server.stop();
    // The first request may be the one that discovers the outage.
    const [status, body] = await readiness();
    assert.equal(status, 503);
    assert.match(body, /the store (?:cannot be read|is unreachable)"}$/);
    await waitUntil(async () => (await readiness())[1] === unreachable[1]);
    const series = await metrics();
    assert.equal(series.get('plugin_metrics_ready'), 0);
    assert.ok((series.get('plugin_metrics_store_unreachable_seconds') ?? 0) > 0);
    await server.start();
    await waitUntil(async () => (await readiness())[0] === 200);
    assert.equal((await metrics()).get('plugin_metrics_ready'), 1);
  });
}
