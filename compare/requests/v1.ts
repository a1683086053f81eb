/** Requests to `/api/v1`. */
import type { Random } from '../../sample/random.ts';
import { type Catalogue, lineType } from '../catalogue.ts';
import type { Request } from '../request.ts';

const counts = ['0', '1', '2', '10', '511', '512', '513', '1439', '1440', '1441', '2048', '2049', '100000'];
const otherCounts = [
  ...['', '%20', '+', '%09', '007', '%31%30', '9007199254740991', '9007199254740993', '9'.repeat(40)],
  ...[
    'abc',
    '-1',
    '1.5',
    '1e3',
    '+5',
    '0x10',
    '%D9%A3',
    '1%00',
    '1,2',
    'null',
    '%E2%80%8B',
    '1%20',
    'Infinity',
  ],
];

/** Path parameters that are no id of a plugin, or of none that there is. */
export const wrongPluginIds = [
  ...[
    '0',
    '00',
    '-1',
    '1.5',
    '1e3',
    'abc',
    '%31',
    '0x1',
    '9007199254740992',
    '9'.repeat(30),
    '424242',
    '%20',
    '1%20',
  ],
  ...['__proto__', 'constructor', '%00', '%C3%A9', '%F0%9F%98%80', '%2e', '%2e%2e', '1%2F2', 'null', '+1'],
];

/** Path parameters that are no id of a chart, or of none that there is. */
export const wrongChartIds = [
  ...[
    'nope',
    'Players',
    'PLAYERS',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    '12',
    '0',
    '-',
    '-a',
    '.',
    '%2e',
  ],
  ...[
    'a%20b',
    'a%2Fb',
    '%00',
    '%C3%A9',
    '%F0%9F%98%80',
    'x'.repeat(100),
    'x'.repeat(101),
    'a%25b',
    '%22%3E%3Cscript%3E',
    '*',
    '~a',
    'a+b',
  ],
];

/** Every endpoint for every plugin and chart, then wrong ids and wrong queries. */
export function v1Requests({ plugins, charts }: Catalogue, random: Random): readonly Request[] {
  const slash = () => (random.next() < 0.3 ? '/' : '');
  const get = (kind: string, target: string): Request => ({
    kind: `/api/v1/${kind}`,
    target: `/api/v1/${target}`,
  });
  const lists = ['plugins', 'software'].flatMap((list) =>
    ['', '/', '?', '/?a=1', '?maxElements=abc', '//', '/%20', ';a', '?q=1&q=2&__proto__=3'].map((end) =>
      get(list, `${list}${end}`),
    ),
  );
  const ofPlugins = plugins.flatMap(({ id }) => [
    get('plugins/ID', `plugins/${id}${slash()}`),
    get('plugins/ID/charts', `plugins/${id}/charts${slash()}`),
  ]);
  const ofCharts = charts.flatMap(({ pluginId, chartId }) => [
    get('plugins/ID/charts/ID', `plugins/${pluginId}/charts/${chartId}${slash()}`),
    get('plugins/ID/charts/ID/data', `plugins/${pluginId}/charts/${chartId}/data${slash()}`),
  ]);
  const lines = charts.filter(({ type }) => type === lineType);
  const ofLines = lines.flatMap(({ pluginId, chartId }, index) =>
    [...counts, ...(index % 13 === 0 ? otherCounts : [])]
      .filter(() => index % 13 === 0 || random.next() < 0.12)
      .map((count) =>
        get(
          'plugins/ID/charts/ID/data',
          `plugins/${pluginId}/charts/${chartId}/data${slash()}?maxElements=${count}`,
        ),
      ),
  );
  const [line, other] = [lines[0], charts.find(({ type }) => type !== lineType)];
  const odd = [line, other].flatMap((chart) =>
    chart === undefined
      ? []
      : [
          ...otherCounts.map((count) => `?maxElements=${count}`),
          ...[
            '?maxElements=1&maxElements=2',
            '?maxElements=&maxElements=',
            '?maxElements',
            '?maxelements=1',
            '?x=1&maxElements=3&y',
          ],
          ...[
            '?maxElements=3#f',
            '?&&maxElements=3&',
            '?maxElements=%zz',
            '?maxElements[]=3',
            '?max%45lements=3',
            '?maxElements=3;x=1',
          ],
        ].map((query) =>
          get('plugins/ID/charts/ID/data', `plugins/${chart.pluginId}/charts/${chart.chartId}/data${query}`),
        ),
  );
  const wrongPlugins = wrongPluginIds.flatMap((id) =>
    ['', '/', '/charts', '/charts/players', '/charts/players/data', '/nothing'].map((end) =>
      get('plugins/ID wrong', `plugins/${id}${end}`),
    ),
  );
  const wrongCharts = plugins
    .slice(0, 2)
    .flatMap(({ id }) =>
      wrongChartIds.flatMap((chartId) =>
        ['', '/', '/data', '/data/', '/nothing'].map((end) =>
          get('plugins/ID/charts/ID wrong', `plugins/${id}/charts/${chartId}${end}`),
        ),
      ),
    );
  const encoded = lines.slice(0, 2).map(({ pluginId, chartId }) => {
    const letters = [...chartId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    return get('plugins/ID/charts/ID', `plugins/${pluginId}/charts/${letters}`);
  });
  const unknown = [
    '',
    'owners',
    'plugins/1/data',
    'PLUGINS',
    'plugins.json',
    '../v1/plugins',
    './plugins',
    'x/../plugins',
  ];
  return [
    ...lists,
    ...ofPlugins,
    ...ofCharts,
    ...ofLines,
    ...odd,
    ...wrongPlugins,
    ...wrongCharts,
    ...encoded,
    ...unknown.map((path) => get('unknown path', path)),
  ];
}
