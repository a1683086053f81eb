/**
 * Questions 55 to 57: memory growth during single requests, compared with an idle server, and with a large
 * store.
 */
import { archive, catalogueRecords, type MadeChart } from '../../catalogues/records.ts';
import { historyMembers } from '../../catalogues/shares.ts';
import { grownBytes } from '../../test/serve/support/grown-bytes.ts';
import { millionPlugins } from '../data/catalogue.ts';
import { probeDuring, probeText } from '../harness/probe.ts';
import { serviceUse } from '../harness/processes.ts';
import { askAndDrop, startServe } from '../harness/server.ts';
import { keptLines, keptStore } from '../harness/stores.ts';
import { atMost, type Bench, type Finding, type Question } from '../question.ts';

/** Questions of this file. */
export const memory: readonly Question[] = [
  { id: '55', title: 'export.csv of three pies of 2,000 long names over 657 hours', measure: exportNames },
  { id: '56', title: 'a series of five charts of 500 other names in each of 400 hours', measure: otherNames },
  { id: '57', title: 'lists and searches of 1,000,000 plugins', measure: searchMillion },
];

async function exportNames(bench: Bench): Promise<readonly Finding[]> {
  const name = (_: number, rank: number) => `${rank} `.padEnd(200, 'long ');
  const store = await keptHistories(bench, 'long-names', {
    chartCount: 3,
    nameCount: 2000,
    hours: 657,
    name,
  });
  return [await growth(bench, store, ['/api/v2/plugins/1/export.csv'], 64)];
}

async function otherNames(bench: Bench): Promise<readonly Finding[]> {
  const name = (hour: number, rank: number) => `${hour}.${rank}`;
  const store = await keptHistories(bench, 'other-names', {
    chartCount: 5,
    nameCount: 500,
    hours: 400,
    name,
  });
  const path = `/api/v2/series?charts=${[0, 1, 2, 3, 4].map((index) => `1:pie${index}`).join()}&range=all&top=100`;
  await using server = await startServe(bench, store);
  const data = '/api/v1/plugins/1/charts/line/data?maxElements=';
  const paths = Array.from({ length: 47 }, (_, index) => `${data}${index + 1}`);
  const beside = await probeDuring(bench, { baseUrl: server.url, paths, requestsPerSecond: 100 }, () =>
    askAndDrop(server.url + path),
  );
  return [
    await growth(bench, store, [path], 128),
    {
      what: 'longest of a point beside it',
      unit: ' ms',
      figure: beside.longestMs,
      demand: atMost(100),
      notes: [probeText(beside)],
    },
  ];
}

async function searchMillion(bench: Bench): Promise<readonly Finding[]> {
  await using server = await startServe(bench, await keptStore(bench, millionPlugins));
  for (const sort of ['servers', 'players', 'name', 'id'])
    await askAndDrop(`${server.url}/api/v2/plugins?sort=${sort}&limit=100`);
  for (let number = 0; number < 50; number++)
    await askAndDrop(`${server.url}/api/v2/plugins?q=${number * 211}&limit=100`);
  const figure = serviceUse(server.pid).memoryBytes / 1e6;
  return [{ what: 'memory of `serve` after them', unit: ' MB', figure, demand: atMost(150) }];
}

/**
 * Measures the peak memory of a server while it answers the paths one after the other, compared with before.
 */
async function growth(
  bench: Bench,
  store: string,
  paths: readonly string[],
  mostMb: number,
): Promise<Finding> {
  await using server = await startServe(bench, store);
  await askAndDrop(`${server.url}/api/v2/software`);
  const { peak } = await grownBytes(server, async () => {
    for (const path of paths) await askAndDrop(server.url + path);
  });
  return { what: 'memory above rest', unit: ' MB', figure: peak / 1e6, demand: atMost(mostMb) };
}

interface NamedHistories {
  readonly chartCount: number;
  /** Number of names per hour. */
  readonly nameCount: number;
  readonly hours: number;
  readonly name: (hour: number, rank: number) => string;
}

const hourMs = 3_600_000;
const firstTime = Date.UTC(2024, 0, 1);

/** Returns the path of a store with one plugin that has a line, and pies with their own names. */
function keptHistories(bench: Bench, storeName: string, histories: NamedHistories): Promise<string> {
  const { chartCount, hours } = histories;
  const chartOf = (fields: Pick<MadeChart, 'chartId' | 'uid' | 'type' | 'data' | 'history'>): MadeChart => ({
    ...{ position: fields.uid, title: 'Names', isDefault: false, settings: '{}' },
    ...fields,
  });
  const line = chartOf({ chartId: 'line', uid: 1, type: 'single_linechart', data: ['[[1700000000000,1]]'] });
  const pies = Array.from({ length: chartCount }, (_, index) =>
    chartOf({
      ...{ chartId: `pie${index}`, uid: index + 2, type: 'simple_pie', data: [] },
      history: hoursOf(histories),
    }),
  );
  const software = { id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null };
  const plugin = { id: 1, name: 'Names', owner: { id: 1, name: 'Owner' }, softwareId: 1, isGlobal: false };
  const records = catalogueRecords({ software: [software], plugins: [{ plugin, charts: [line, ...pies] }] });
  return keptLines(bench, storeName, { storeName, chartCount, hours }, () => archive(records, 2));
}

function* hoursOf({ nameCount, hours, name }: NamedHistories): Generator<string> {
  for (let hour = 0; hour < hours; hour++) {
    const shares = Array.from({ length: nameCount }, (_, rank) => ({
      name: name(hour, rank),
      values: [1 + ((rank * 7 + hour) % 97)],
    }));
    yield historyMembers([firstTime + hour * hourMs], shares);
  }
}
