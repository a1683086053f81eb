// An image server over a store with charts of all types and hostile names.
import { makeStore, type TestServerOptions } from '../../../http/support/test-server.ts';
import { hostileNames } from '../../../support/hostile-names.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../../support/records.ts';
import { type SiteClient, serveSite } from '../../pages/support/site-client.ts';

/** The time of the newest points. */
export const newest = 1_763_600_000_000;

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

/**
 * The plugin whose charts have the hostile names as titles, `c0` to `c7`; each is a pie with them as slices.
 */
export const hostilePlugin = 2;

const records = [
  softwareRecord({ name: 'Bukkit / Spigot' }),
  softwareRecord({ id: 2, name: 'Other', url: 'other.software' }),
  ...[
    ...['Example.Plugin', hostileNames[0] ?? '', 'Ünï / Cödé.svg', '4', '5', '6', 'Twice', 'TWICE', 'Twice'],
    ...['Bare', 'Two Words+', 'Two+Words'],
  ].map((name, index) => pluginRecord(index + 1, name, index === 8 ? { softwareId: 2 } : {})),
  ...chartTypes.flatMap(([chartId, type], index) => {
    const data = dataOf(chartId, type);
    const chart = chartRecord(chartId, index + 1, { type, title: `Title of ${chartId}` });
    return data === undefined ? [chart] : [chart, dataRecord(chartId, data)];
  }),
  ...hostileNames.flatMap((title, index) => {
    const about = { pluginId: hostilePlugin };
    const data = hostileNames.map((name, rank) => ({ name, y: 100 - rank }));
    return [
      chartRecord(`c${index}`, 100 + index, { ...about, type: 'simple_pie', title }),
      dataRecord(`c${index}`, data, about),
    ];
  }),
];

/** Serves the store until the tests of the file end. */
export async function serveImages(options: TestServerOptions = {}): Promise<SiteClient> {
  return serveSite(await makeStore(records), options);
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
