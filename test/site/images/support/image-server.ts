// An image server over a store with charts of all types and hostile names.
import { join } from 'node:path';
import { after } from 'node:test';
import { fontconfigFile } from '../../../../src/site/images/make-png.ts';
import { createSite } from '../../../../src/site/site.ts';
import {
  importRecords,
  makeDirectory,
  serveStore,
  type TestServer,
  type TestServerOptions,
} from '../../../http/support/test-server.ts';

// As `serve` does.
process.env['FONTCONFIG_FILE'] = fontconfigFile;

/** The time of the newest points. */
export const newest = 1_763_600_000_000;

/** Names that would not be plain text if they were not escaped. */
export const hostileNames: readonly string[] = [
  '"><script>alert(1)</script>',
  '</text></svg><script/>',
  "{{7*7}} #{7*7} <%= 7 %> ' onload='x",
  ']]>&lt;&amp;&#60;',
  'مرحبا بالعالم \u202e gnp.exe',
  'x'.repeat(200),
  '😀👩‍👩‍👧‍👦🏳️‍🌈 Zalgo̶̧͎',
  '\ufffe\uffff',
];

/** The charts of plugin 1 by id: a line of one day and one of each other type. */
export const chartTypes: readonly (readonly [chartId: string, type: string])[] = [
  ['players', 'single_linechart'],
  ['servers', 'single_linechart'],
  ['v1.2', 'simple_pie'],
  ['logo.svg', 'advanced_pie'],
  ['a.png', 'drilldown_pie'],
  ['12', 'simple_map'],
  ['map', 'advanced_map'],
  ['__proto__', 'simple_bar'],
  ['constructor', 'advanced_bar'],
  ['heat', 'heatmap'],
  ['empty', 'single_linechart'],
];

/** The plugin whose charts have the hostile names as titles, `c0` to `c7`; each is a pie with them as slices. */
export const hostilePlugin = 2;

const records = [
  { record: 'software', id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId: null },
  { record: 'software', id: 2, name: 'Other', url: 'other.software', globalPluginId: null },
  plugin(1, 'Example.Plugin'),
  plugin(hostilePlugin, hostileNames[0] ?? ''),
  plugin(3, 'Ünï / Cödé.svg'),
  plugin(7, 'Twice'),
  plugin(8, 'TWICE'),
  plugin(9, 'Twice', 2),
  plugin(10, 'Bare'),
  plugin(11, 'Two Words+'),
  plugin(12, 'Two+Words'),
  ...chartTypes.map(([chartId, type], index) => chart({ chartId, type, uid: index + 1 })),
  ...chartTypes.flatMap(([chartId, type]) => {
    const data = dataOf(chartId, type);
    return data === undefined ? [] : [{ record: 'data', pluginId: 1, chartId, data }];
  }),
  ...hostileNames.flatMap((title, index) => {
    const chartId = `c${index}`;
    const about = { pluginId: hostilePlugin, chartId };
    const data = hostileNames.map((name, rank) => ({ name, y: 100 - rank }));
    return [
      { ...chart({ chartId, type: 'simple_pie', uid: 100 + index }), ...about, title },
      { record: 'data', ...about, data },
    ];
  }),
];

/** Serves the store until the tests of the file end. */
export async function serveImages(options: TestServerOptions = {}): Promise<TestServer> {
  const store = join(makeDirectory(), 'images.db');
  await importRecords(store, records);
  const server = await serveStore(store, { ...createSite(), ...options });
  after(() => server[Symbol.asyncDispose]());
  return server;
}

function plugin(id: number, name: string, softwareId = 1): object {
  return { record: 'plugin', id, name, owner: { id: 1, name: 'Owner' }, softwareId, isGlobal: false };
}

function chart({
  chartId,
  type,
  uid,
}: {
  readonly chartId: string;
  readonly type: string;
  readonly uid: number;
}): object {
  const about = { pluginId: 1, position: uid, title: `Title of ${chartId}`, isDefault: false };
  return { record: 'chart', ...about, chartId, uid, type, data: {} };
}

function dataOf(chartId: string, type: string): unknown {
  if (chartId === 'empty') return undefined;
  switch (type) {
    case 'single_linechart':
      return Array.from({ length: 1441 }, (_, index) => [
        newest - (1440 - index) * 1_800_000,
        index === 700 ? 98_765 : 1200 + ((index * 7919) % 100),
      ]);
    case 'simple_pie':
    case 'advanced_pie':
      return [
        { name: 'One', y: 3 },
        { name: 'Other one', y: 1 },
      ];
    case 'drilldown_pie':
      return {
        drilldownData: [{ name: 'One', id: 'One', data: [['a', 3]] }],
        seriesData: [{ name: 'One', y: 3, drilldown: 'One' }],
      };
    case 'simple_map':
    case 'advanced_map':
      return [
        { code: 'DE', value: 30 },
        { code: 'SE', value: 10 },
      ];
    case 'simple_bar':
    case 'advanced_bar':
      return [{ name: 'Bar', data: [3, 4] }];
    default:
      return [{ some: 'thing', n: 1 }];
  }
}
