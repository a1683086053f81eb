/** Records in which every name is hostile. */

/** Hostile names: markup, other markup languages, right-to-left text, long text, emoji. */
export const hostileNames: readonly string[] = [
  '"><script>document.title="hacked"</script>',
  "'><img src=x onerror=alert(1)>",
  '</text><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '[link](javascript:alert(1)) `code` *bold* _x_',
  'שלום مرحبا ‮backwards',
  `${'long'.repeat(50)}`,
  '🎆👨‍👩‍👧‍👦🏳️‍🌈',
  '=HYPERLINK("http://127.0.0.1/")',
];

/** Records of a plugin for each name, with charts of several types that have the name too. */
export function hostileRecords(): object[] {
  const software = { record: 'software', id: 1, name: hostileNames[0], url: 'bukkit', globalPluginId: null };
  return [software, ...hostileNames.flatMap((name, index) => pluginRecords(index + 1, name))];
}

const halfHourMs = 30 * 60 * 1000;
const newest = Date.UTC(2026, 5, 30);

function pluginRecords(id: number, name: string): object[] {
  const chart = (chartId: string, type: string, position: number, data: object) => ({
    record: 'chart',
    pluginId: id,
    chartId,
    uid: id * 10 + position,
    type,
    position,
    title: name,
    isDefault: false,
    data,
  });
  const data = (chartId: string, of: object) => ({ record: 'data', pluginId: id, chartId, data: of });
  const filter = { enabled: false, maxValue: null, minValue: null };
  return [
    { record: 'plugin', id, name, owner: { id, name }, softwareId: 1, isGlobal: false },
    chart('players', 'single_linechart', 0, { lineName: name, filter }),
    chart('pie', 'simple_pie', 1, {}),
    chart('drilldown', 'drilldown_pie', 2, {}),
    chart('wall', 'text_wall', 3, {}),
    data(
      'players',
      Array.from({ length: 100 }, (_, index) => [newest - (99 - index) * halfHourMs, index]),
    ),
    data(
      'pie',
      hostileNames.map((each, index) => ({ name: each, y: index + 1 })),
    ),
    data('drilldown', {
      drilldownData: [{ name, id: name, data: hostileNames.map((each) => [each, 1]) }],
      seriesData: [{ name, y: 9, drilldown: name }],
    }),
    data(
      'wall',
      hostileNames.map((each) => ({ [each]: each })),
    ),
  ];
}
