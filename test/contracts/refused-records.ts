/** Records that stores refuse, and the records that must precede them. */
import { chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';

/** The records before {@link refusedOnCatalogue}. */
export const catalogue = [softwareLine(), pluginLine(), chartLine()];

/** A chart that is not in {@link catalogue}. */
export const pie = { chartId: 'versions', uid: 71, type: 'simple_pie', position: 1, title: 'Versions' };

/** Archives that a store with {@link catalogue} refuses, with the message and the line. */
export const refusedOnCatalogue: ReadonlyArray<readonly [string, readonly string[], string, number]> = [
  [
    'the url of another software',
    [softwareLine({ id: 2, name: 'Other' })],
    'the url "bukkit" belongs to software 1 already',
    2,
  ],
  [
    'a plugin of an unknown software',
    [pluginLine({ id: 8 }), pluginLine({ id: 9, softwareId: 5 })],
    'there is no software with the id 5',
    3,
  ],
  ['a chart of an unknown plugin', [chartLine({ pluginId: 8 })], 'there is no plugin with the id 8', 2],
  [
    'the uid of another chart',
    [chartLine({ chartId: 'servers' })],
    'the uid 70 belongs to chart "players" of plugin 7 already',
    2,
  ],
  [
    'another uid for a chart',
    [chartLine({ uid: 71 })],
    'the uid of a chart cannot change: "players" has the uid 70, got 71',
    2,
  ],
  [
    'another type for a chart that has data',
    [dataLine('players', '[[0,1]]'), chartLine({ type: 'simple_pie' })],
    'the type of a chart that has data cannot change: "players" is a single_linechart, got simple_pie',
    3,
  ],
  ['data of an unknown chart', [dataLine('servers', '[[0,1]]')], 'plugin 7 has no chart "servers"', 2],
  [
    'data of an unknown plugin',
    ['{"record":"data","pluginId":8,"chartId":"players","data":[]}'],
    'there is no plugin with the id 8',
    2,
  ],
  ['data of another shape', [chartLine(pie), dataLine('versions', '[{"name":"1.0","y":1,"z":2}]')], '', 3],
  [
    'an unknown global plugin',
    [softwareLine({ globalPluginId: 8 }), dataLine('players', '[[0,1]]')],
    'software 1 names the global plugin 8, which does not exist',
    4,
  ],
];

/** The records before {@link refusedHistories}. */
export const historyCatalogue = [
  softwareLine(),
  pluginLine(),
  pluginLine({ id: 8, name: 'Eight' }),
  chartLine({ chartId: 'os', uid: 72, type: 'drilldown_pie' }),
  chartLine({ chartId: 'versions', uid: 71, type: 'simple_pie' }),
  chartLine({ pluginId: 8, chartId: 'country', uid: 81, type: 'advanced_map' }),
  chartLine({ pluginId: 8, chartId: 'game', uid: 82, type: 'simple_bar' }),
];

const exactly = (message: string) => new RegExp(`^${RegExp.escape(message)}$`);
const historyLine = (fields: object) =>
  JSON.stringify({
    record: 'history',
    pluginId: 7,
    chartId: 'versions',
    times: [0],
    series: [{ name: 'a', values: [1] }],
    ...fields,
  });

/** Records of histories, events and old names that a store refuses, in archives of version 2. */
export const refusedHistories: readonly (readonly [title: string, line: string, message: RegExp])[] = [
  [
    'a history of a line',
    historyLine({ chartId: 'players' }),
    /^only a chart of shares \(a pie, a map, or bars of one value\) has a history, not one of the type "single_linechart"$/,
  ],
  ['a history of an unknown chart', historyLine({ chartId: 'none' }), /^plugin 7 has no chart "none"$/],
  [
    'a group outside of drilldown pies',
    historyLine({ series: [{ group: 'g', name: 'a', values: [1] }] }),
    /^series\[0\]\.group must be left out, because only drilldown pies have groups; got "g"$/,
  ],
  [
    'a share twice',
    historyLine({
      series: [
        { name: 'a', values: [1] },
        { name: 'a', values: [2] },
      ],
    }),
    /^series\[1\] is the share "a" once more$/,
  ],
  [
    'a column of another length',
    historyLine({ series: [{ name: 'a', values: [1, 2] }] }),
    /^series\[0\]\.values must have a value for each of the times; got 2 values and 1 times$/,
  ],
  [
    '2,001 shares',
    historyLine({ series: Array.from({ length: 2001 }, (_, index) => ({ name: `${index}`, values: [1] })) }),
    /^series may have at most 2000 shares, got 2001$/,
  ],
  [
    'data with a time and 2,001 shares',
    JSON.stringify({
      record: 'data',
      pluginId: 7,
      chartId: 'versions',
      data: Array.from({ length: 2001 }, (_, index) => ({ name: `${index}`, y: 0 })),
      at: 0,
    }),
    /^data may have at most 2000 shares where "at" is given, got 2001$/,
  ],
  [
    'a country that is no code',
    historyLine({ pluginId: 8, chartId: 'country' }),
    /^series\[0\]\.name must be a country code of two capital letters \(ISO 3166-1\), got "a"$/,
  ],
  [
    'a time of a line',
    '{"record":"data","pluginId":7,"chartId":"players","data":[[0,1]],"at":0}',
    /^only a chart of shares/,
  ],
  [
    'a time of bars of two values',
    '{"record":"data","pluginId":8,"chartId":"game","data":[{"name":"x","data":[1,2]}],"at":0}',
    /^data\[0\]\.data must be one value where "at" is given, because only bars of one value have a history; got 2$/,
  ],
  ...[
    { share: '{"name":"a\\u0000"', got: 'a\\u0000' },
    { share: '{"name":"\\udc00\\ud83d"', got: '\\udc00\\ud83d' },
    { chartId: 'os', share: '{"group":"\\uD83D","name":"\\uD83D\\uDE00"', got: '\\ud83d' },
  ].map(({ chartId = 'versions', share, got }) => {
    const line = historyLine({ chartId }).replace('{"name":"a"', share);
    const message = `series[0] must be named in well-formed Unicode without U+0000, got "${got}"`;
    return [`a share ${share} of a history`, line, exactly(message)] as const;
  }),
  ...[
    '[{"name":"a\\u0000","y":1}]',
    '{"drilldownData":[],"seriesData":[{"name":"\\ud800","y":0,"drilldown":""}]}',
  ].map((json) => {
    const chartId = json.startsWith('[') ? 'versions' : 'os';
    const message =
      /^each share of data where "at" is given must be named in well-formed Unicode without U\+0000, got "/;
    return [`data with a time ${json}`, dataLine(chartId, json).replace(/\}$/, ',"at":0}'), message] as const;
  }),
  ...[
    'pluginId":7,"name":',
    'pluginId":7,"time":0,"url":null,"title":',
    'pluginId":7,"time":0,"title":"t","url":',
  ].flatMap((fields) =>
    ['https://x/\\u0000', 'https://x/\\ud800'].map((text) => {
      const record = fields.includes('time') ? 'event' : 'oldName';
      return [
        `a text in ${fields}"${text}"`,
        `{"record":"${record}","${fields}"${text}"}`,
        /^(name|title|url) must be/,
      ] as const;
    }),
  ),
  [
    'an old name of an unknown plugin',
    '{"record":"oldName","pluginId":9,"name":"Before"}',
    /^there is no plugin with the id 9$/,
  ],
  [
    'an event of an unknown plugin',
    '{"record":"event","pluginId":9,"time":0,"title":"1.0","url":null}',
    /^there is no plugin with the id 9$/,
  ],
];
