// The dialects of other servers that the client accepts, and those it refuses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PluginMetricsClient, PluginMetricsError } from '../../src/client/client.ts';
import { json, serveAnswers, type TestAnswer } from './support/answering-server.ts';

const summary = { id: 7, name: 'P', owner: { id: 3, name: 'O' }, software: { id: 1 }, isGlobal: false };
const chart = { uid: 1, type: 'simple_pie', position: 0, title: 'T', isDefault: false, data: {} };
const detail = { id: 7, name: 'P', owner: { name: 'O' }, charts: { a: chart } };
const plugins = '/api/v1/plugins';
const software = '/api/v1/software';
const data = '/api/v1/plugins/7/charts/a/data';

describe('the client accepts', () => {
  it('a plugin list with fewer and with more fields than documented', async () => {
    const list = [
      { ...summary, owner: { name: 'O' }, chartIds: [1, 2], serviceId: 4 },
      { ...summary, software: { id: 1, name: 'S', url: 's', more: true } },
    ];
    assert.deepEqual(await clientOf({ [plugins]: json(list) }).listPlugins(), list);
  });

  it('a chart whose id is special in JavaScript', async () => {
    const body = `{"__proto__":${JSON.stringify(chart)},"constructor":${JSON.stringify(chart)}}`;
    const charts = await clientOf({ [`${plugins}/7/charts`]: { body } }).listCharts(7);
    assert.deepEqual(Object.keys(charts), ['__proto__', 'constructor']);
  });

  const globalPlugins: ReadonlyArray<readonly [unknown, unknown]> = [
    [
      { id: 1, name: 'G' },
      { id: 1, name: 'G' },
    ],
    [12, { id: 12 }],
    ['', null],
    [null, null],
    [undefined, null],
  ];
  for (const [sent, read] of globalPlugins)
    it(`a software whose globalPlugin is ${JSON.stringify(sent) ?? 'missing'}`, async () => {
      const client = clientOf({
        [software]: json([{ id: 1, name: 'S', url: 's', globalPlugin: sent, extra: 1 }]),
      });
      assert.deepEqual(await client.listSoftware(), [
        { id: 1, name: 'S', url: 's', globalPlugin: read, extra: 1 },
      ]);
    });

  it('a line with nulls, newest first', async () => {
    const line = [
      [30, 3],
      [20, null],
      [10, 1.5],
      [0, 0],
    ];
    const client = clientOf({ [data]: json(line) });
    const expected = [
      [0, 0],
      [10, 1.5],
      [30, 3],
    ];
    assert.deepEqual(await client.readChartData(7, 'a', { type: 'single_linechart' }), expected);
    assert.deepEqual(await client.readChartData(7, 'a'), expected);
  });

  it('bars as categories and series', async () => {
    const bars = { categories: ['a'], series: [{ name: '', data: [1] }] };
    const client = clientOf({ [data]: json(bars) });
    assert.deepEqual(await client.readChartData(7, 'a', { type: 'simple_bar' }), bars);
    assert.deepEqual(await client.readChartData(7, 'a', { type: 'advanced_bar' }), bars);
  });

  it('a server that accepts only paths with a slash or only without, which it remembers for each endpoint', async () => {
    const server = await serveAnswers({
      [`${plugins}/7/`]: json(detail),
      [`${plugins}/8/`]: json(detail),
      [`${data}/?maxElements=5`]: json([]),
      [plugins]: json([]),
    });
    const client = new PluginMetricsClient(server.url);
    await client.getPlugin(7);
    await client.getPlugin(8);
    await client.readChartData(7, 'a', { maxElements: 5 });
    await client.listPlugins();
    await assert.rejects(client.getPlugin(9), { status: 404 });
    assert.deepEqual(server.targets(), [
      `${plugins}/7`,
      `${plugins}/7/`,
      `${plugins}/8/`,
      `${data}?maxElements=5`,
      `${data}/?maxElements=5`,
      plugins,
      `${plugins}/9/`,
    ]);
  });
});

describe('the client names the position of', () => {
  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    [plugins, [{ ...summary, id: '7' }], '$[0].id must be an integer of at most 2^53-1, not "7"'],
    [plugins, [{ ...summary, owner: {} }], '$[0].owner.name must be a string, not nothing'],
    [plugins, [{ ...summary, isGlobal: 0 }], '$[0].isGlobal must be true or false, not 0'],
    [`${plugins}/7`, { ...detail, charts: [] }, '$.charts must be an object, not an array'],
    [
      `${plugins}/7`,
      { ...detail, charts: { 'a-b': { ...chart, title: 1 } } },
      '$.charts["a-b"].title must be a string, not 1',
    ],
    [data, 'x'.repeat(100), `$ must be an array or an object, not "${'x'.repeat(60)}"…`],
    [
      data,
      [
        [1, 2],
        [3, '4'],
      ],
      '$[1][1] must be a number or null, not "4"',
    ],
  ];
  for (const [target, body, message] of wrong)
    it(message, async () => {
      const server = await serveAnswers({ [target]: json(body) });
      await assert.rejects(ask(new PluginMetricsClient(server.url), target), (error) => {
        assert.ok(error instanceof PluginMetricsError);
        assert.deepEqual([error.url, error.status], [server.url + target, 200]);
        assert.equal(error.message, `${server.url}${target}: ${message}`);
        return true;
      });
    });

  const wrongData: ReadonlyArray<readonly [string, unknown, string]> = [
    ['simple_pie', [{ name: 'a', y: '1' }], '$[0].y must be a number'],
    [
      'drilldown_pie',
      { seriesData: [], drilldownData: [{ name: 'a', id: 'a', data: [['x']] }] },
      '$.drilldownData[0].data[0][1] must be a number',
    ],
    ['simple_map', [{ code: 'DE' }], '$[0].value must be a number'],
    ['advanced_bar', [{ name: 'a', data: [1, null] }], '$[0].data[1] must be a number'],
  ];
  for (const [type, body, message] of wrongData)
    it(`data of ${type}: ${message}`, async () => {
      const client = clientOf({ [data]: json(body) });
      await assert.rejects(client.readChartData(7, 'a', { type }), (error) => {
        assert.ok(error instanceof PluginMetricsError);
        assert.ok(error.message.includes(`: ${message}, not `), error.message);
        return true;
      });
    });
});

describe('the client refuses', () => {
  it('an HTML page', async () => {
    const page = { headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><title>Hello</title>' };
    await assert.rejects(clientOf({ [plugins]: page }).listPlugins(), (error) => {
      assert.ok(error instanceof PluginMetricsError && error.cause instanceof SyntaxError);
      assert.match(error.message, /: the body \(text\/html\) must be JSON: .*<!doctype/);
      return true;
    });
  });

  it('an empty body, which means that the chart does not exist', async () => {
    for (const body of ['', ' \n']) {
      await assert.rejects(clientOf({ [data]: { body } }).readChartData(7, 'a'), (error) => {
        assert.ok(error instanceof PluginMetricsError);
        assert.deepEqual([error.status, error.isNotFound], [200, true]);
        assert.match(error.message, /the body is empty/);
        return true;
      });
    }
  });

  it('endlessly nested arrays', async () => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    await assert.rejects(clientOf({ [plugins]: { body } }).listPlugins(), {
      message: /: \$\[0\] must be an object, not an array$/,
    });
  });

  it('an unrequested 304', async () => {
    await assert.rejects(clientOf({ [plugins]: { status: 304 } }).listPlugins(), { status: 304 });
  });

  it('errors without a valid problem document', async () => {
    for (const body of ['', '[', '3', 'null']) {
      const answer = { status: 400, headers: { 'Content-Type': 'application/problem+json' }, body };
      await assert.rejects(clientOf({ [plugins]: answer }).listPlugins(), {
        status: 400,
        problem: undefined,
      });
    }
  });
});

it('a message repeats no more than 500 characters of a response', async () => {
  const long = '\u202e'.repeat(1_000_000);
  const headers = { 'Content-Type': 'application/problem+json' };
  const refusal = (detail: unknown) =>
    clientOf({ [plugins]: { status: 403, headers, body: JSON.stringify({ title: 'No', detail }) } });
  const messageOf = (error: unknown) => (error instanceof Error ? error.message.replace(/^\S+ /, '') : '');
  const failure = async (client: PluginMetricsClient) =>
    messageOf(await client.listPlugins().catch((error: unknown) => error));
  assert.equal(await failure(refusal(long)), `answered 403: ${long.slice(0, 499)}…`);
  for (const detail of [{ toString: 1 }, ['x'], 3])
    assert.equal(await failure(refusal(detail)), 'answered 403: No');
  const registry = clientOf({ [`${plugins}/7`]: json({ ...detail, charts: { [long]: 3 } }) });
  const message = messageOf(await registry.getPlugin(7).catch((error: unknown) => error));
  assert.equal(message, `$.charts["${long.slice(0, 60)}"…] must be an object, not 3`);
});

function clientOf(answers: Readonly<Record<string, TestAnswer>>): PluginMetricsClient {
  const waiting = serveAnswers(answers);
  return new PluginMetricsClient('http://server', {
    fetch: async (url, init) => fetch(url.replace('http://server', (await waiting).url), init),
  });
}

function ask(client: PluginMetricsClient, target: string): Promise<unknown> {
  if (target === plugins) return client.listPlugins();
  if (target === software) return client.listSoftware();
  return target === data ? client.readChartData(7, 'a') : client.getPlugin(7);
}
