// The archive of one plugin and what a store is that imported it: data with a time that later records
// changed, or that are empty.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { archiveText } from '../http/support/test-server.ts';
import { getText } from '../http/support/validated-client.ts';
import { chart, data, history, plugin, serveRecords, software } from './support/records.ts';

const start = Date.UTC(2026, 0, 1);
const catalogue: readonly object[] = [software, plugin(), chart('version', 1, 'simple_pie')];
const dataAt = (slices: readonly object[], at: number) => data('version', slices, at);
const historyOf = (times: readonly number[], values: readonly number[]) =>
  history('version', times, [{ name: '1.0', values }]);

/** Imports archives one after another, and reads what the chart shows, now and over time. */
async function readPast(...archives: readonly string[]): Promise<readonly string[]> {
  const { url } = await serveRecords(...archives.map(recordsIn));
  return [
    await getText(url, '/api/v1/plugins/7/charts/version/data'),
    await getText(url, '/api/v2/series?charts=7:version&range=all&top=2'),
  ];
}

function recordsIn(archive: string): object[] {
  const lines = archive.trim().split('\n').slice(1, -1);
  return lines.map((line) => JSON.parse(line));
}

async function readArchive(records: readonly object[], query = ''): Promise<string> {
  const { url } = await serveRecords([...catalogue, ...records]);
  return await getText(url, `/api/v2/plugins/7/archive${query}`);
}

describe('the archive of a plugin', () => {
  test('shows nothing where the newest data are empty, whatever was shown before', async () => {
    const records = [dataAt([{ name: '1.0', y: 1 }], start), dataAt([], start + 1)];
    const expected = await readPast(archiveText([...catalogue, ...records], 2));
    assert.equal(expected[0], '[]');
    const archive = await readArchive(records);
    assert.deepEqual(await readPast(archive), expected);
    // Older data, imported later, are not shown by the copy either.
    const older = archiveText([dataAt([{ name: '0.9', y: 1 }], start - 1)], 2);
    assert.equal((await readPast(archive, older))[0], '[]');
  });

  test('since a time changes nothing in a copy that is up to date', async () => {
    const records = [dataAt([{ name: '1.0', y: 1 }], start), historyOf([start - 1, start], [7, 5])];
    const whole = await readArchive(records);
    const since = await readArchive(records, `?since=${start + 1}`);
    assert.deepEqual(await readPast(whole, since), await readPast(whole));
  });

  test('since a time has no older history where the shown data say the same', async () => {
    const records = [historyOf([start - 1], [7]), dataAt([{ name: '1.0', y: 1 }], start)];
    const since = recordsIn(await readArchive(records, `?since=${start + 1}`));
    assert.deepEqual(since.slice(catalogue.length), [dataAt([{ name: '1.0', y: 1 }], start)]);
  });
});
