/** A plugin with one line. */

/** Points in a record: many in one would be too long a line of an archive. */
const pointsPerRecord = 5000;

/** Makes the records of the plugin 1, whose chart `players` has these points. */
export function lineRecords(points: readonly (readonly [time: number, value: number])[]): object[] {
  const data = Array.from({ length: Math.ceil(points.length / pointsPerRecord) }, (_, part) => ({
    record: 'data',
    pluginId: 1,
    chartId: 'players',
    data: points.slice(part * pointsPerRecord, (part + 1) * pointsPerRecord),
  }));
  return [
    { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null },
    { record: 'plugin', id: 1, name: 'Lined', owner: { id: 1, name: 'A' }, softwareId: 1, isGlobal: false },
    {
      record: 'chart',
      pluginId: 1,
      chartId: 'players',
      uid: 1,
      type: 'single_linechart',
      position: 0,
      title: 'Players',
      isDefault: true,
      data: { lineName: 'Players', filter: { enabled: false, maxValue: null, minValue: null } },
    },
    ...data,
  ];
}
