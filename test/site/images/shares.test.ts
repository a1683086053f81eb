// Pictures and badges of charts of shares that are added up by name.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeStore } from '../../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';
import { ask } from './support/ask.ts';
import { assertSvg, descriptionOf } from './support/assert-svg.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const times = [start, start + hourMs, start + 2 * hourMs];

const historyOf = (pluginId: number, chartId: string, series: object[]) => ({
  record: 'history',
  pluginId,
  chartId,
  times,
  series,
});

const pie = (entries: Readonly<Record<string, number>>) =>
  Object.entries(entries).map(([name, y]) => ({ name, y }));

const site = await serveSite(
  await makeStore([
    softwareRecord(),
    ...[1, 2, 3].map((id) => pluginRecord(id, `Plugin ${id}`)),
    chartRecord('backend', 11, { pluginId: 1, type: 'simple_pie', title: 'Backend' }),
    chartRecord('backend', 21, { pluginId: 2, type: 'advanced_pie', title: 'Backend' }),
    chartRecord('other', 22, { pluginId: 2, type: 'simple_pie', title: 'Other' }),
    chartRecord('map', 23, { pluginId: 2, type: 'simple_map', title: 'Map' }),
    chartRecord('players', 24, { pluginId: 2, type: 'single_linechart', title: 'Players' }),
    chartRecord('backend', 31, { pluginId: 3, type: 'simple_pie', title: 'Backend' }),
    { ...dataRecord('backend', pie({ MySQL: 30, SQLite: 50 })), pluginId: 1 },
    { ...dataRecord('backend', pie({ MySQL: 60, '"><script>': 10 })), pluginId: 2 },
    { ...dataRecord('other', pie({ '1.20.1': 5, '1.20.4': 6, '1.21': 1 })), pluginId: 2 },
    historyOf(1, 'backend', [{ name: 'MySQL', values: [10, 20, 30] }]),
    historyOf(2, 'backend', [
      { name: 'MySQL', values: [1, 2, 60] },
      { name: 'SQLite', values: [9, 8, 7] },
    ]),
  ]),
);

const both = 'charts=1:backend,2:backend';

async function wordsOf(query: string): Promise<string> {
  const { status, text } = await ask(site, `/embed/shares.svg?${query}`);
  assert.equal(status, 200, query);
  assertSvg(text);
  return descriptionOf(text);
}

describe('a picture of shares that are added up', () => {
  test('has what the charts show now, by name', async () => {
    assert.match(await wordsOf(both), /^Backend, added up.*: MySQL 60%, SQLite 33% and "><script> 6\.7%/);
    assert.match(await wordsOf(`${both},3:backend`), /^Backend, added up.*: MySQL 60%/);
    assert.match(await wordsOf('charts=1:backend,2:other'), /^Sum.*: SQLite 54%/);
    assert.match(await wordsOf('charts=2:other&group=minor'), /1\.20\.x 92%/);
  });

  test('has their histories over time', async () => {
    const words = await wordsOf(`${both}&view=history&unit=count&range=all`);
    assert.match(words, /^Backend, added up/);
    assert.match(words, /MySQL from 11 to 90 and SQLite from 9 to 7; 97 in total/);
    assert.match(await wordsOf(`${both}&view=lines&range=all`), /MySQL .*93%/);
    assert.equal(
      (await ask(site, `/embed/shares.png?${both}&view=history`)).headers['content-type'],
      'image/png',
    );
  });

  test('says so where there is nothing', async () => {
    const { text } = await ask(site, '/embed/shares.svg?charts=3:backend');
    assert.match(text, /No data yet/);
    assert.match((await ask(site, '/embed/shares.svg?charts=3:backend&view=history')).text, /No history yet/);
  });
});

test('a badge has the largest share of the sum', async () => {
  const badgeOf = async (query: string) => JSON.parse((await ask(site, `/badge/sum.json?${query}`)).text);
  assert.partialDeepStrictEqual(await badgeOf(both), { label: 'Backend', message: 'MySQL 60%' });
  assert.partialDeepStrictEqual(await badgeOf('charts=1:backend,2:other'), { label: 'Sum' });
  assert.partialDeepStrictEqual(await badgeOf('charts=3:backend'), { message: 'no data' });
});

test('a sum of more names than can be ranked in a turn says so', async () => {
  const many = (from: number) =>
    Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`n${from + index}`, 1]));
  const large = await serveSite(
    await makeStore([
      softwareRecord(),
      pluginRecord(1, 'One'),
      ...[0, 12_000, 0].flatMap((from, index) => [
        chartRecord(`pie${index}`, index + 1, { pluginId: 1, type: 'simple_pie' }),
        { ...dataRecord(`pie${index}`, pie(many(from))), pluginId: 1 },
      ]),
    ]),
  );
  const ofTwo = (path: string, other: number) => ask(large, `${path}?charts=1:pie0,1:pie${other}`);
  assert.match((await ofTwo('/embed/shares.svg', 1)).text, /Too many names to add up/);
  assert.match((await ofTwo('/badge/sum.json', 1)).text, /"message":"Too many names to add up\."/);
  assert.doesNotMatch((await ofTwo('/embed/shares.svg', 2)).text, /Too many names/);
});

for (const [query, status, words] of [
  ['', 400, /1 to 10 charts of shares/],
  ['charts=1:backend,2:map', 400, /charts of shares of one form.*2:map/],
  ['charts=2:players', 400, /charts of shares of one form.*2:players/],
  ['charts=9:backend', 404, /no plugin with the id 9/],
  ['charts=1:none', 404, /no chart "none"/],
  ['charts=1:backend&view=ladder', 400, /view/],
] as const)
  test(`a picture of ${query || 'no charts'} is refused`, async () => {
    const { status: found, text } = await ask(site, `/embed/shares.svg?${query}`);
    assert.equal(found, status);
    assert.match(descriptionOf(text), words);
  });
