/** A plugin with one line. */
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';

/** Points in a record: many in one would be too long a line of an archive. */
const pointsPerRecord = 5000;

type Points = readonly (readonly [time: number, value: number])[];

/** Makes the records of the plugin 1, whose chart `players` has these points. */
export function lineRecords(points: Points): object[] {
  return [softwareRecord(), pluginRecord(1, 'Lined'), ...lineOf('players', 1, points)];
}

/** Makes the records of a line of the plugin 1. */
export function lineOf(chartId: string, uid: number, points: Points, fields: object = {}): object[] {
  const settings = { lineName: 'Players', filter: { enabled: false, maxValue: null, minValue: null } };
  const about = { position: uid - 1, title: 'Players', isDefault: true, data: settings, ...fields };
  const data = Array.from({ length: Math.ceil(points.length / pointsPerRecord) }, (_, part) =>
    dataRecord(chartId, points.slice(part * pointsPerRecord, (part + 1) * pointsPerRecord)),
  );
  return [chartRecord(chartId, uid, about), ...data];
}
