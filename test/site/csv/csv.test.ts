// The data of charts as CSV, over real HTTP and a real store.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { museumChart, museumId } from '../../http/support/sample.ts';
import { makeStore } from '../../http/support/test-server.ts';
import {
  chartRecord,
  dataRecord,
  historyRecord,
  pluginRecord,
  softwareRecord,
} from '../../support/records.ts';
import { serveSite } from '../pages/support/site-client.ts';

const hostile = '=HYPERLINK("http://x","y")';

let chartCount = 0;

/** A plugin with a hostile name, and a chart of every type. */
const records = [
  softwareRecord({ url: 's' }),
  pluginRecord(1, '../é"'),
  ...chart('pie', 'simple_pie', [
    { name: 'a, "b"', y: 1.5 },
    { name: hostile, y: -2 },
    { name: '\tx', y: 0 },
    { name: 'two\nlines', y: 1e21 },
  ]),
  ...chart('rings', 'drilldown_pie', {
    drilldownData: [
      {
        name: 'Java 21',
        id: 'j',
        data: [
          ['21.0.1', 3],
          ['@x', 4],
        ],
      },
    ],
    seriesData: [
      { name: 'Java 21', y: 7, drilldown: 'j' },
      { name: '-', y: 1, drilldown: 'none' },
    ],
  }),
  ...chart('map', 'simple_map', [
    { code: 'DE', value: 3 },
    { code: 'ZZ', value: 1 },
  ]),
  ...chart(
    'bars',
    'advanced_bar',
    [
      { name: 'x', data: [1, 2] },
      { name: '+y', data: [3] },
    ],
    { barNames: ['=young'] },
  ),
  ...chart('one.two', 'simple_bar', [{ name: 'x', data: [1] }]),
  ...chart('rows', 'calendar', [
    { day: 1, note: '=1' },
    { day: 2, more: [1, { a: null }] },
  ]),
  ...chart('young', 'simple_pie', []),
  historyRecord(
    'young',
    [1, 11].map((day) => Date.UTC(2026, 5, day, 12, 30)),
    [{ name: 'a', values: [1, 3] }],
  ),
  ...chart('line', 'single_linechart', [
    [0, 1],
    [1500, -2.5],
    [1_800_000, 1e21],
    [8.64e15, 0],
  ]),
];

function chart(chartId: string, type: string, data: unknown, settings: object = {}): object[] {
  return [chartRecord(chartId, ++chartCount, { type, data: settings }), dataRecord(chartId, data)];
}

const site = await serveSite(await makeStore(records));
// The name is `../é"`. Its slash is `-` in links, because some proxies decode `%2F`; addresses that have it
// so are answered too.
const folder = '/plugin/s/..-%C3%A9%22/1';
const formerFolder = '/plugin/s/..%2F%C3%A9%22/1';
const sample = await serveSite();

describe('CSV', () => {
  test('of every chart type has its columns, and contains no formulas', async () => {
    const expected: Readonly<Record<string, readonly string[]>> = {
      pie: [
        'name,value',
        '"a, ""b""",1.5',
        `"'=HYPERLINK(""http://x"",""y"")",-2`,
        "'\tx,0",
        '"two\nlines",1e+21',
      ],
      rings: ['name,part,value', 'Java 21,21.0.1,3', "Java 21,'@x,4", "'-,'-,1"],
      map: ['code,country,value', 'DE,Germany,3', 'ZZ,Unknown,1'],
      bars: ["name,'=young,value 2", 'x,1,2', "'+y,3,"],
      'one.two': ['name,value', 'x,1'],
      rows: ['json', '"[{""day"":1,""note"":""=1""},{""day"":2,""more"":[1,{""a"":null}]}]"'],
      line: [
        'timestamp,value',
        '1970-01-01T00:00:00Z,1',
        '1970-01-01T00:00:01.500Z,-2.5',
        '1970-01-01T00:30:00Z,1e+21',
        '+275760-09-13T00:00:00Z,0',
      ],
    };
    for (const [chartId, rows] of Object.entries(expected)) {
      const { status, body } = await site.get(`${folder}/${chartId}.csv`);
      assert.deepEqual([status, body], [200, `${rows.join('\r\n')}\r\n`], chartId);
      const marked = await site.get(`${folder}/${chartId}.csv?bom=true`);
      assert.equal(marked.body, `\ufeff${body}`);
    }
  });

  test('is a download named after the plugin and chart', async () => {
    const { headers } = await site.get(`${folder}/pie.csv`);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    assert.equal(headers.get('content-disposition'), 'attachment');
  });

  test('of a line has every point of the chart, or those of a range', async () => {
    const line = museumChart('doors.opened~today');
    const { headers } = await sample.get(`/plugin/${museumId}`);
    const address = `${headers.get('location')}/${line.chartId}.csv`;
    const all: string[][] = parse((await sample.get(address)).body, { fromLine: 2 });
    assert.deepEqual(
      all.map(([time, value]) => [Date.parse(time ?? ''), Number(value)]),
      line.points,
    );
    const week: string[][] = parse((await sample.get(`${address}?range=7d`)).body, { fromLine: 2 });
    const newest = line.points.at(-1)?.[0] ?? 0;
    const expected = line.points.filter(([time]) => time >= newest - 7 * 24 * 60 * 60 * 1000);
    assert.deepEqual(
      week.map(([time]) => Date.parse(time ?? '')),
      expected.map(([time]) => time),
    );
    const [, first = 0] = line.points.map(([time]) => time);
    const last = first + 24 * 60 * 60 * 1000;
    const window = await sample.get(`${address}?from=${first}&to=${last}`);
    assert.deepEqual(
      parse(window.body, { fromLine: 2 }).map(([time]: string[]) => Date.parse(time ?? '')),
      line.points.map(([time]) => time).filter((time) => time >= first && time < last),
    );
  });

  test('is the same under another name of the plugin, without a redirect', async () => {
    const { body } = await site.get(`${folder}/line.csv?range=1y`);
    for (const path of [formerFolder, '/plugin/s/other/1', '/plugin/x/..%2F%C3%A9%22/1']) {
      const answer = await site.get(`${path}/line.csv?range=1y`);
      assert.deepEqual([answer.status, answer.body], [200, body], path);
    }
  });

  test('of an unknown plugin or chart is 404, and an invalid range is 400', async () => {
    for (const [path, status] of [
      ['/plugin/s/x/2/line.csv', 404],
      [`${folder}/none.csv`, 404],
      [`${folder}/line.tsv`, 404],
      [`${folder}/.csv`, 404],
      [`${folder}/line.csv?range=2y`, 400],
      [`${folder}/line.csv?from=2026-01-01`, 400],
      [`${folder}/pie.csv?view=then`, 400],
      [`${folder}/pie.csv?bom=1`, 400],
    ] as const)
      assert.equal((await site.get(path)).status, status, path);
  });

  test('of a history has a column for each share, whatever the page hides', async () => {
    const path = '/plugin/bukkit/ExamplePlugin/1337/serverSoftware.csv?view=history&range=7d';
    const read = async (query = '') => {
      const { status, body } = await sample.get(path + query);
      assert.equal(status, 200, query);
      const [header = [], ...rows]: string[][] = parse(body);
      return { header, rows };
    };
    const all = await read();
    assert.deepEqual(all.header.slice(0, 2), ['time', 'Paper']);
    const api = await sample.get('/api/v2/series.csv?charts=1337:serverSoftware&range=7d');
    const [names = [], ...rows]: string[][] = parse(api.body);
    assert.deepEqual(all.rows, rows);
    assert.deepEqual(names, all.header);
    assert.deepEqual((await read('&hide=Paper')).header, all.header);
    const long = await sample.get(path.replace('7d', '1y'));
    assert.match(long.body, /\r\n2026-06-30T00:00:00\.000Z,/);
    assert.doesNotMatch(long.body, /T0?[1-9]/);
    const young = await site.get(`${folder}/young.csv?view=history`);
    assert.equal(young.body, 'time,a\r\n2026-06-01T12:30:00.000Z,1\r\n2026-06-11T12:30:00.000Z,3\r\n');
    const line = await sample.get('/plugin/bukkit/ExamplePlugin/1337/players.csv?view=history&range=1d');
    assert.match(line.body, /^timestamp,value\r\n2026-06-29T23:30:00Z,/);
    const series = await sample.get('/api/v2/series.csv?charts=1337:players&range=1d');
    assert.deepEqual(
      [line, series].map(({ body }) => body.split('\r\n').length - 2),
      [49, 48],
    );
  });
});
