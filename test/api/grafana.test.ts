// The queries of docs/grafana.md and of the dashboard, sent as Grafana sends them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDocument } from '../doc-tables.ts';
import { serveSample } from '../http/support/test-server.ts';
import { getText } from '../http/support/validated-client.ts';

const { url } = await serveSample();
const dayMs = 86_400_000;
const end = Date.UTC(2026, 6, 1);

/** The intervals that Grafana rounds to, with the texts that it writes for them. */
const intervals: ReadonlyArray<readonly [ms: number, text: string]> = [
  ...[1, 10, 20, 50, 100, 200, 500].map((ms) => [ms, `${ms}ms`] as const),
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => [1000 * count, `${count}s`] as const),
  ...[1, 2, 5, 10, 15, 20, 30].map((count) => [60_000 * count, `${count}m`] as const),
  ...[1, 2, 3, 6, 12].map((count) => [3_600_000 * count, `${count}h`] as const),
  ...[1, 7, 30].map((count) => [dayMs * count, `${count}d`] as const),
  [365 * dayMs, '1y'],
];

interface Query {
  readonly type: 'csv' | 'json';
  readonly url: string;
  readonly root_selector: string;
  readonly columns: ReadonlyArray<{ readonly selector: string }>;
}

const panels: readonly { readonly title: string; readonly targets: readonly Query[] }[] = JSON.parse(
  readDocument('examples/grafana-dashboard.json').replaceAll('$plugin', '1337').replaceAll('$server', url),
).panels;

const documented = [
  ...readDocument('docs/grafana.md').matchAll(/^```text\nhttps:\/\/metrics\.example\.org(\S+)\n```$/gm),
].map(([, path = '']) => path);

/** Puts the variables of Grafana into an address. */
function asSent(address: string, lengthMs: number, [ms, text]: (typeof intervals)[number]): string {
  const values: Readonly<Record<string, string | number>> = {
    __from: end - lengthMs,
    __to: end,
    __interval: text,
    __interval_ms: ms,
  };
  return address.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => String(values[name] ?? assert.fail(name)));
}

/** The rows of a CSV without quotes, as objects. */
function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])));
}

/** Finds the value of a selector; a dot leads into an object. */
function valueAt(row: unknown, selector: string): unknown {
  const own = (from: unknown, key: string) => Object.entries(from ?? {}).find(([name]) => name === key)?.[1];
  return selector.split('.').reduce<unknown>(own, row);
}

describe('queries for Grafana', () => {
  assert.ok(documented.length > 5 && panels.length > 4);
  for (const path of documented.filter((one) => one.includes('series.csv')))
    test(`${path} gives times no closer than any interval`, async () => {
      for (const interval of intervals)
        for (const lengthMs of [dayMs / 24, dayMs, 90 * dayMs]) {
          const sent = asSent(path, lengthMs, interval);
          const times = rowsOf(await getText(url, sent)).map(({ time = '' }) => Date.parse(time));
          assert.ok(times.length > 0 && times.length <= Math.max(300, (2 * lengthMs) / 3_600_000), sent);
          const least = path.includes('points') ? 0 : Math.min(interval[0], 28 * dayMs);
          for (const [at, time] of times.slice(1).entries())
            assert.ok(time - Number(times[at]) >= least, `${sent}: ${new Date(time).toISOString()}`);
        }
    });

  test('the others have what the document names', async () => {
    const [events = '', insights = ''] = documented.filter((one) => !one.includes('series.csv'));
    const sent = JSON.parse(await getText(url, asSent(events, 90 * dayMs, [1, '1ms'])));
    assert.ok(sent.length > 0);
    for (const selector of ['time', 'title']) assert.notEqual(valueAt(sent[0], selector), undefined);
    const { lines } = JSON.parse(await getText(url, insights));
    for (const selector of ['chartId', 'now.1', 'changes.7d', 'changes.28d'])
      assert.notEqual(valueAt(lines[0], selector), undefined, selector);
  });

  for (const { title, targets } of panels)
    test(`the panel "${title}" has the columns that it names`, async () => {
      for (const target of targets)
        for (const interval of intervals) {
          const text = await getText(url, asSent(target.url, 90 * dayMs, interval).replace(url, ''));
          const rows = target.type === 'csv' ? rowsOf(text) : JSON.parse(text)[target.root_selector];
          assert.ok(rows.length > 2, interval[1]);
          for (const { selector } of target.columns)
            assert.notEqual(valueAt(rows[0], selector), undefined, selector);
        }
    });
});
