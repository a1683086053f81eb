/** The data of the reference server: small, but with one of everything that the cases request. */

/** A chart with the text of its registry entry and of its data. */
export interface ReferenceChart {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** The points of a line as JSON texts, or the whole data of any other chart. */
  readonly data: readonly string[] | string;
}

/** A plugin with its charts in the order of the registry. */
export interface ReferencePlugin {
  readonly id: number;
  readonly name: string;
  readonly charts: readonly ReferenceChart[];
}

let nextUid = 1;
const POINT_COUNT = 1500;
const points = Array.from({ length: POINT_COUNT }, (_, index) => {
  const value = index % 7 === 0 ? index / 8 : 100 + (index % 13);
  return `[${1479799800000 + index * 1800000},${value}]`;
});

/** Every plugin, by ascending id. */
export const plugins: readonly ReferencePlugin[] = [
  {
    id: 1,
    name: 'Example "Plugin" ü {lineChartId}',
    charts: [
      makeChart({ id: 'players', type: 'single_linechart', position: 0, data: points }),
      makeChart({ id: '12', type: 'simple_pie', position: 1, data: '[{"name":"a","y":1}]' }),
      makeChart({ id: '9', type: 'single_linechart', position: 1, data: [] }),
      makeChart({ id: 'Zeta', type: 'advanced_pie', position: 1, data: '[{"name":"b","y":0.5}]' }),
      makeChart({ id: 'constructor', type: 'simple_map', position: 1, data: '[{"code":"DE","value":3}]' }),
      makeChart({ id: 'map', type: 'advanced_map', position: 2, data: '[]' }),
      makeChart({ id: 'map2', type: 'advanced_map', position: 2, data: '[{"code":"FR","value":3}]' }),
      makeChart({ id: 'bar', type: 'simple_bar', position: 3, data: '[{"name":"x","data":[1]}]' }),
      makeChart({ id: 'bars', type: 'advanced_bar', position: 3, data: '[{"name":"x","data":[1,2]}]' }),
      makeChart({
        id: 'drill',
        type: 'drilldown_pie',
        position: 3,
        data: '{"drilldownData":[{"name":"x","id":"x","data":[["y",1]]}],"seriesData":[{"name":"x","y":1,"drilldown":"x"}]}',
      }),
      makeChart({ id: 'own', type: 'heat_map', position: 4, data: '{"b":null,"a":1}' }),
    ],
  },
  { id: 2, name: 'Empty', charts: [] },
  {
    id: 10,
    name: 'Ten',
    charts: [makeChart({ id: 'x', type: 'single_linechart', position: 0, data: points.slice(3, 9) })],
  },
];

/** The text of the software list. */
export const softwareText =
  '[{"id":1,"name":"Bukkit / Spigot","url":"bukkit","globalPlugin":{"id":1,"name":"G"}},' +
  '{"id":4,"name":"Server","url":"server","globalPlugin":null}]';

interface ChartFields {
  readonly id: string;
  readonly type: string;
  readonly position: number;
  readonly data: readonly string[] | string;
}

function makeChart({ id, type, position, data }: ChartFields): ReferenceChart {
  const settings =
    type === 'single_linechart'
      ? '{"lineName":"Line","filter":{"enabled":false,"maxValue":null,"minValue":5}}'
      : '{"z":null,"a":1}';
  const uid = nextUid++;
  const text = `{"uid":${uid},"type":"${type}","position":${position},"title":"T","isDefault":true,"data":${settings}}`;
  return { id, type, text, data };
}
