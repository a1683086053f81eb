// Plugin ids, chart ids and maxElements, good and malformed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProblem, assertSameText } from './support/assertions.ts';
import { chartPath, chartText, museumChart, museumId } from './support/sample.ts';
import { serveSample } from './support/test-server.ts';
import { get, getText } from './support/validated-client.ts';

const { url } = await serveSample();
const museum = `/api/v1/plugins/${museumId}`;
const line = museumChart('servers');
const lineData = `${chartPath(line)}/data`;
const pie = museumChart('serverSoftware');

const malformedIds: readonly (readonly [string, RegExp])[] = [
  ['abc', /"abc"/],
  ['-1', /"-1"/],
  ['+1', /"\+1"/],
  ['1.5', /"1\.5"/],
  ['1e3', /"1e3"/],
  ['0x10', /"0x10"/],
  ['%20', /" "/],
  ['1%20', /"1 "/],
  ['%201', /" 1"/],
  ['1%0A', /"1\\n"/],
  ['%00', /"\\u0000"/],
  ['%EF%BC%91', /"１"/],
  ['NaN', /"NaN"/],
  ['__proto__', /"__proto__"/],
  ['9007199254740992', /9007199254740991; got "9007199254740992"/],
  ['9'.repeat(400), /"9{76}\.\.\./],
];

for (const [id, detail] of malformedIds) {
  test(`the plugin id ${id.slice(0, 20)} is malformed: 400`, async () => {
    for (const rest of ['', '/', '/charts', '/charts/servers', '/charts/servers/data'])
      assertProblem(await get(url, `/api/v1/plugins/${id}${rest}`), {
        status: 400,
        kind: 'malformed-plugin-id',
        detail,
      });
  });
}

test('an empty plugin id is malformed, or its path is unknown', async () => {
  for (const path of ['/api/v1/plugins//', '/api/v1/plugins//charts', '/api/v1/plugins//charts/servers/data'])
    assert.ok([400, 404].includes((await get(url, path)).status), path);
});

test('a plugin id may have leading zeros', async () => {
  const plain = await getText(url, museum);
  for (const zeros of ['0', '000', '0'.repeat(2000)])
    assertSameText(await getText(url, `/api/v1/plugins/${zeros}${museumId}`), plain, zeros);
});

test('an unknown plugin answers 404 and names the id', async () => {
  for (const id of ['0', '99', '9007199254740991']) {
    const expected = { status: 404, kind: 'unknown-plugin', detail: new RegExp(`\\b${id}\\b`) };
    for (const rest of ['', '/charts', '/charts/servers', '/charts/servers/data'])
      assertProblem(await get(url, `/api/v1/plugins/${id}${rest}`), expected);
  }
});

for (const chartId of ['7', '12', '__proto__', 'constructor', 'doors.opened~today', 'Zoo']) {
  test(`the chart id ${chartId} is an ordinary one`, async () => {
    const chart = museumChart(chartId);
    const encoded = [...Buffer.from(chartId)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join('');
    for (const path of [`${museum}/charts/${chartId}`, `${museum}/charts/${encoded}`]) {
      assertSameText(await getText(url, path), chartText(chart), path);
      assertSameText(await getText(url, `${path}/data?maxElements=999999`), chart.data, path);
    }
  });
}

const unknownCharts: readonly (readonly [string, RegExp])[] = [
  ['toString', /"toString"/],
  ['hasOwnProperty', /"hasOwnProperty"/],
  ['valueOf', /"valueOf"/],
  ['Servers', /"Servers"/],
  ['zoo', /"zoo"/],
  ['07', /"07"/],
  ['7.0', /"7\.0"/],
  ['charts', /"charts"/],
  ['servers%20', /"servers "/],
  ['%2F', /"\/"/],
  ['servers%2Fdata', /"servers\/data"/],
  ['..', /"\.\."/],
  ['%2e%2e', /"\.\."/],
  ['%00', /"\\u0000"/],
  ['%22', /"\\""/],
  ["'%20or%201=1%20--", /' or 1=1/],
  ['%E2%98%83', /"☃"/],
  ['%F0%9F%98%80', /"😀"/],
  ['a'.repeat(5000), /"a{76}\.\.\./],
];

for (const [chartId, detail] of unknownCharts) {
  test(`the chart id ${chartId.slice(0, 20)} is unknown: 404`, async () => {
    const expected = { status: 404, kind: 'unknown-chart', detail };
    for (const rest of ['', '/data', '/data?maxElements=abc'])
      assertProblem(await get(url, `${museum}/charts/${chartId}${rest}`), expected);
  });
}

test('property names of JavaScript objects are unknown charts', async () => {
  for (const chartId of ['__proto__', 'constructor'])
    assertProblem(await get(url, `/api/v1/plugins/1/charts/${chartId}`), {
      status: 404,
      kind: 'unknown-chart',
      detail: /plugin 1 has no chart/,
    });
});

for (const path of ['%ZZ', '%', '%4', '%FF', '%C0%AF', '%ED%A0%80', '%E0%A4']) {
  test(`a path with ${path} cannot be decoded: 400`, async () => {
    for (const target of [
      `/api/v1/plugins/${path}`,
      `${museum}/charts/${path}`,
      `${museum}/charts/${path}/data`,
    ])
      assertProblem(await get(url, target), { status: 400, kind: 'undecodable-path' });
  });
}

const goodCounts: readonly (readonly [string, number])[] = [
  ['', 1440],
  ['?', 1440],
  ['?maxElements', 1440],
  ['?maxElements=', 1440],
  ['?maxElements=+', 1440],
  ['?maxElements=%20', 1440],
  ['?maxElements=%20%09%0A', 1440],
  ['?maxElements=0', 0],
  ['?maxElements=00', 0],
  ['?maxElements=1', 1],
  ['?maxElements=5', 5],
  ['?maxElements=0005', 5],
  ['?maxElements=%35', 5],
  ['?max%45lements=5', 5],
  ['?%6DaxElements=5', 5],
  ['?a=1&maxElements=5&b=%ZZ&&=', 5],
  ['?maxElements=9007199254740993', Number.MAX_SAFE_INTEGER],
  [`?maxElements=${'9'.repeat(400)}`, Number.MAX_SAFE_INTEGER],
  [`?maxElements=${'9'.repeat(5000)}`, Number.MAX_SAFE_INTEGER],
  [`?maxElements=${'0'.repeat(5000)}7`, 7],
  ['?maxelements=5', 1440],
  ['?MAXELEMENTS=abc', 1440],
  ['?maxElements[]=5', 1440],
  ['?amaxElements=5', 1440],
  ['?foo=bar&maxElement=abc&%FF=%', 1440],
  [`?${'a=1&'.repeat(2000)}`, 1440],
  [`?${'a=1&'.repeat(1900)}maxElements=5`, 5],
];

for (const [query, count] of goodCounts) {
  test(`a line answers at most its latest ${count} points to the query ${query.slice(0, 40)}`, async () => {
    const expected = JSON.stringify(count === 0 ? [] : line.points.slice(-count));
    assertSameText(await getText(url, `${lineData}${query}`), expected, query);
    assertSameText(await getText(url, `${lineData}/${query}`), expected, query);
  });
}

const badCounts: readonly (readonly [string, RegExp])[] = [
  ['abc', /"abc"/],
  ['-1', /"-1"/],
  ['-0', /"-0"/],
  ['+5', /" 5"/],
  ['%2B5', /"\+5"/],
  ['1.5', /"1\.5"/],
  ['5.0', /"5\.0"/],
  ['1e3', /"1e3"/],
  ['1e+21', /"1e 21"/],
  ['0x10', /"0x10"/],
  ['1_000', /"1_000"/],
  ['5,6', /"5,6"/],
  ['Infinity', /"Infinity"/],
  ['null', /"null"/],
  ['%00', /"\\u0000"/],
  ['5%00', /"5\\u0000"/],
  ['%D9%A5', /"٥"/],
  ['%ZZ', /"%ZZ"/],
  ['a'.repeat(5000), /"a{76}\.\.\./],
  ['5&maxElements=5', /more than once/],
  ['&maxElements=', /more than once/],
  ['5&a=1&%6DaxElements=6', /more than once/],
  [`5${'&maxElements=5'.repeat(400)}`, /more than once/],
];

for (const [value, detail] of badCounts) {
  test(`maxElements=${value.slice(0, 40)} is malformed for a line: 400`, async () => {
    const expected = { status: 400, kind: 'malformed-max-elements', detail };
    for (const chart of [line, museumChart('never_reported')])
      assertProblem(await get(url, `${chartPath(chart)}/data?maxElements=${value}`), expected);
  });

  test(`maxElements=${value.slice(0, 40)} is ignored for a chart that is not a line`, async () => {
    for (const chart of [pie, museumChart('empty_shelf'), museumChart('opening_hours')])
      assertSameText(await getText(url, `${chartPath(chart)}/data?maxElements=${value}`), chart.data, value);
  });
}

test('a malformed maxElements answers 400 even after a valid one with the same number', async () => {
  const expected = { status: 400, kind: 'malformed-max-elements' };
  for (const [good, bad] of [
    ['9'.repeat(400), 'Infinity'],
    [`1${'0'.repeat(21)}`, '1e+21'],
    ['5', '05&maxElements='],
  ]) {
    assert.equal((await get(url, `${lineData}?maxElements=${good}`)).status, 200);
    assertProblem(await get(url, `${lineData}?maxElements=${bad}`), expected);
  }
});

test('a valid maxElements is ignored for a chart that is not a line', async () => {
  for (const value of ['0', '1', '9'.repeat(400)])
    assertSameText(await getText(url, `${chartPath(pie)}/data?maxElements=${value}`), pie.data, value);
});

test('maxElements is ignored by the other endpoints', async () => {
  for (const path of ['/api/v1/plugins', '/api/v1/software', museum, `${museum}/charts`, chartPath(line)])
    assertSameText(await getText(url, `${path}?maxElements=abc`), await getText(url, path), path);
});

test('an unknown plugin or chart answers 404 even if maxElements is malformed', async () => {
  const bad = 'data?maxElements=abc&maxElements=-1';
  const unknownChart = { status: 404, kind: 'unknown-chart' };
  assertProblem(await get(url, `${museum}/charts/nope/${bad}`), unknownChart);
  assertProblem(await get(url, `/api/v1/plugins/99/charts/nope/${bad}`), {
    status: 404,
    kind: 'unknown-plugin',
  });
  assertProblem(await get(url, `/api/v1/plugins/x/charts/nope/${bad}`), {
    status: 400,
    kind: 'malformed-plugin-id',
  });
});
