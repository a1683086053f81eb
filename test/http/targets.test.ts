// Targets: paths, methods, ids and maxElements. The conformance cases have the rules; here are the words of
// errors, and odd spellings.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkServer } from '../../conformance/check-server.ts';
import { assertProblem, assertSameText } from './support/assertions.ts';
import { chartPath, museumChart, museumId } from './support/sample.ts';
import { openApp, requestFor } from './support/test-app.ts';
import { makeSampleStore, serveStore } from './support/test-server.ts';

const { app, ask, textOf } = openApp(await makeSampleStore());
const museum = `/api/v1/plugins/${museumId}`;
const line = museumChart('servers');
const lineData = `${chartPath(line)}/data`;
const pie = museumChart('serverSoftware');

test('a malformed plugin id is quoted, however long it is', async () => {
  for (const [id, detail] of [
    ['1%0A', /"1\\n"/],
    ['%EF%BC%91', /"１"/],
    ['9007199254740992', /9007199254740991; got "9007199254740992"/],
    ['9'.repeat(400), /"9{76}\.\.\./],
  ] as const)
    for (const rest of ['', '/', '/charts', '/charts/servers', '/charts/servers/data'])
      assertProblem(await ask(`/api/v1/plugins/${id}${rest}`), {
        status: 400,
        kind: 'malformed-plugin-id',
        detail,
      });
});

test('a plugin id may have leading zeros', async () => {
  const plain = await textOf(museum);
  for (const zeros of ['0', '0'.repeat(2000)])
    assertSameText(await textOf(`/api/v1/plugins/${zeros}${museumId}`), plain, zeros);
});

test('an unknown plugin is named, an unknown chart is quoted, and both say what there is', async () => {
  for (const id of ['99', '9007199254740991'])
    for (const rest of ['', '/charts', '/charts/servers', '/charts/servers/data'])
      assertProblem(await ask(`/api/v1/plugins/${id}${rest}`), {
        status: 404,
        kind: 'unknown-plugin',
        detail: new RegExp(`\\b${id}; /api/v1/plugins lists all plugins$`),
      });
  for (const [chartId, detail] of [
    ['Servers', /"Servers"/],
    ['07', /"07"/],
    ['servers%20', /"servers "/],
    ['servers%2Fdata', /"servers\/data"/],
    ['%2e%2e', /"\.\."/],
    ['%22', /"\\""/],
    ['%F0%9F%98%80', /"😀"/],
    ['a'.repeat(5000), /"a{76}\.\.\./],
  ] as const)
    for (const rest of ['', '/data', '/data?maxElements=abc']) {
      const answer = await ask(`${museum}/charts/${chartId}${rest}`);
      assertProblem(answer, { status: 404, kind: 'unknown-chart', detail });
      assertProblem(answer, {
        status: 404,
        kind: 'unknown-chart',
        detail: new RegExp(`; ${museum}/charts lists its charts$`),
      });
    }
  const registry: Record<string, { readonly uid: number }> = JSON.parse(await textOf(`${museum}/charts`));
  for (const [chartId, { uid }] of Object.entries(registry))
    assertProblem(await ask(`/api/v1/plugins/1/charts/${uid}`), {
      status: 404,
      kind: 'unknown-chart',
      detail: new RegExp(`"${uid}"; ${uid} is the uid of ${museum}/charts/${chartId}$`),
    });
});

test('maxElements may be spelled in any way that a query can', async () => {
  for (const [query, count] of [
    ['?maxElements=+', 1440],
    ['?maxElements=%20%09%0A', 1440],
    ['?maxElements=00', 0],
    ['?maxElements=%35', 5],
    ['?%6Dax%45lements=5', 5],
    ['?a=1&maxElements=5&b=%ZZ&&=', 5],
    [`?maxElements=${'9'.repeat(5000)}`, Number.MAX_SAFE_INTEGER],
    [`?maxElements=${'0'.repeat(5000)}7`, 7],
    ['?amaxElements=5', 1440],
    [`?${'a=1&'.repeat(1900)}maxElements=5`, 5],
  ] as const) {
    const expected = JSON.stringify(count === 0 ? [] : line.points.slice(-count));
    for (const slash of ['', '/'])
      assertSameText(await textOf(`${lineData}${slash}${query}`), expected, query);
  }
});

test('a malformed maxElements is quoted for a line, and ignored for other charts', async () => {
  for (const [value, detail] of [
    ['+5', /" 5"/],
    ['1e+21', /"1e 21"/],
    ['5%00', /"5\\u0000"/],
    ['%D9%A5', /"٥"/],
    ['%ZZ', /"%ZZ"/],
    ['a'.repeat(5000), /"a{76}\.\.\./],
    ['5&a=1&%6DaxElements=6', /more than once/],
    [`5${'&maxElements=5'.repeat(400)}`, /more than once/],
  ] as const) {
    for (const chart of [line, museumChart('never_reported')])
      assertProblem(await ask(`${chartPath(chart)}/data?maxElements=${value}`), {
        status: 400,
        kind: 'malformed-max-elements',
        detail,
      });
    for (const chart of [pie, museumChart('empty_shelf'), museumChart('opening_hours')])
      assertSameText(await textOf(`${chartPath(chart)}/data?maxElements=${value}`), chart.data, value);
  }
});

test('an unknown path is named to every method', async () => {
  for (const target of [
    ...['/', '/?a=1', '/api/v1/plugins.json', '/api/v1/plugins;a=1', '/API/v1/plugins', '/openapi.jsonx'],
    ...['/openapi.json//', '/favicon.ico', '/metrics', `${museum}/Charts`, `${museum}/charts/servers/Data`],
    ...['/api/v1/plugins/../software', '/api/v1/./software', `/api/v1/plugins%2F${museumId}`, '*'],
    ...[`/${'a/'.repeat(2000)}`, '/%E2%98%83'],
  ]) {
    const [path = ''] = target.split('?');
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      // That is a question about the server as a whole.
      if (target === '*' && method === 'OPTIONS') continue;
      const answer = await ask(target, {}, method);
      assertProblem(answer, { status: 404, kind: 'unknown-path' });
      const { detail } = JSON.parse(answer.bytes.toString());
      assert.ok(detail.includes(path.slice(0, 200)), `${method} ${target}: ${detail}`);
    }
    assert.equal((await ask(target, {}, 'HEAD')).status, 404);
  }
  assert.equal((await app.answer(requestFor('*', {}, 'OPTIONS'))).status, 204);
});

test('the server passes every conformance case', async () => {
  const store = await makeSampleStore();
  await using server = await serveStore(store);
  const report = await checkServer({ baseUrl: server.url });
  assert.deepEqual(report.broken, []);
  assert.deepEqual(report.notApplicable, []);
  assert.ok(report.passed > 400);
});
