/** Records in which every name is hostile. */
import { hostileNames } from '../../support/hostile-names.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';

/** Records of a plugin for each name, with charts of several types that have the name too. */
export function hostileRecords(): object[] {
  return [
    softwareRecord({ name: hostileNames[0] }),
    ...hostileNames.flatMap((name, index) => pluginRecords(index + 1, name)),
  ];
}

const halfHourMs = 30 * 60 * 1000;
const newest = Date.UTC(2026, 5, 30);

function pluginRecords(id: number, name: string): object[] {
  const about = { pluginId: id };
  const chart = (chartId: string, type: string, position: number, data: unknown, settings: object = {}) => [
    chartRecord(chartId, id * 10 + position, { ...about, type, position, title: name, data: settings }),
    dataRecord(chartId, data, about),
  ];
  const filter = { enabled: false, maxValue: null, minValue: null };
  const points = Array.from({ length: 100 }, (_, index) => [newest - (99 - index) * halfHourMs, index]);
  const slices = hostileNames.map((each, index) => ({ name: each, y: index + 1 }));
  const parts = hostileNames.map((each) => [each, 1]);
  const rings = {
    drilldownData: [{ name, id: name, data: parts }],
    seriesData: [{ name, y: 9, drilldown: name }],
  };
  const wall = hostileNames.map((each) => ({ [each]: each }));
  return [
    pluginRecord(id, name, { owner: { id, name } }),
    ...chart('players', 'single_linechart', 0, points, { lineName: name, filter }),
    ...chart('pie', 'simple_pie', 1, slices),
    ...chart('drilldown', 'drilldown_pie', 2, rings),
    ...chart('wall', 'text_wall', 3, wall),
  ];
}
