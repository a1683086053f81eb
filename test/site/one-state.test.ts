// Responses built from several reads show one state of the store, even if an import finishes between the
// reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import { importRecords, makeStore, replaceMethods } from '../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../support/records.ts';
import { ask } from './images/support/ask.ts';
import { serveSite } from './pages/support/site-client.ts';

const page = '/plugin/s/Changing/7';
const targets: readonly string[] = [
  '/embed/7.svg',
  '/embed/7/players.svg?range=all',
  '/embed/7/players.svg?range=1d',
  '/embed/7/pie.svg',
  '/badge/7/pie.json',
  '/badge/7/players.svg',
  page,
  `${page}/players.csv`,
  `${page}/pie.csv`,
  '/software/s',
  '/compare?charts=7:players,7:servers',
  '/compare?charts=7:players&add=Changing',
  '/compare?charts=7:players,7:servers&mode=sum&range=all',
];

for (const target of targets) {
  test(`${target} never mixes two states`, async () => {
    const store = await makeStore(stateRecords(5));
    let state = 5;
    // The store changes after each of the first reads, as it may during queries to a database server.
    const andChange = async <Result>(reading: Promise<Result>): Promise<Result> => {
      const result = await reading;
      if (state < 8) await importRecords(store, stateRecords(++state));
      await nextTurn();
      return result;
    };
    const server = await serveSite(store, {
      wrap: (reader: MetricsReader) =>
        replaceMethods(reader, (view) => ({
          getPlugin: (...about) => andChange(view.getPlugin(...about)),
          getChart: (...about) => andChange(view.getChart(...about)),
          listSoftware: () => andChange(view.listSoftware()),
          listSoftwareNow: () => andChange(view.listSoftwareNow()),
          readChartData: async (...about) => andChange(Promise.resolve(view.readChartData(...about))),
        })),
    });
    const { status, text } = await ask(server, target);
    assert.equal(status, 200);
    const states = new Set(Array.from(text.matchAll(/\b([5-8]),?\1\1\1\b/g), ([, digit]) => digit));
    assert.equal(states.size, 1, `${[...states]}`);
    assert.ok(state > 5, 'the store changed while the answer was made');
    state = 8;
    await importRecords(store, stateRecords(state));
    const { text: later } = await ask(server, target);
    const laterStates = Array.from(later.matchAll(/\b([5-8]),?\1\1\1\b/g), ([, digit]) => digit);
    assert.deepEqual([...new Set(laterStates)], ['8'], 'what was read of an older state is not kept');
  });
}

/**
 * Everything visible of state `number`, 5 to 8, contains the number four times; sums of two have five digits.
 */
function stateRecords(number: number): readonly object[] {
  const value = 1111 * number;
  const about = { pluginId: 7 };
  const lines = ['servers', 'players'];
  const points = Array.from({ length: 100 }, (_, index) => [1_700_000_000_000 + 1_800_000 * index, value]);
  return [
    softwareRecord({ name: `S ${value}`, url: 's' }),
    pluginRecord(7, 'Changing', { owner: { id: 1, name: `O ${value}` } }),
    ...lines.flatMap((chartId, index) => [
      chartRecord(chartId, index + 1, { ...about, title: `T ${value}` }),
      dataRecord(chartId, points, about),
    ]),
    chartRecord('pie', 3, { ...about, type: 'simple_pie', title: `T ${value}` }),
    dataRecord('pie', [{ name: `N ${value}`, y: value }], about),
  ];
}
