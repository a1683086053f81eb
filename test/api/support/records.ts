/** Records of a plugin with charts, and servers of stores with them. */
import { join } from 'node:path';
import { after } from 'node:test';
import { importRecords, makeDirectory, serveStore, type TestServer } from '../../http/support/test-server.ts';
import {
  chartRecord,
  dataRecord,
  historyRecord,
  pluginRecord,
  softwareRecord,
} from '../../support/records.ts';

type Fields = Readonly<Record<string, unknown>>;

const ofSeven = { pluginId: 7 };

/** The software of all plugins. */
export const software = softwareRecord({ name: 'Software', url: 'software' });

/** A plugin; number 7 unless the fields say another id. */
export const plugin = (fields: Fields = {}) => pluginRecord(7, 'Plugin', fields);

/** A chart of plugin 7. */
export const chart = (chartId: string, uid: number, type: string, fields: Fields = {}) =>
  chartRecord(chartId, uid, { ...ofSeven, type, title: `Title of ${chartId}`, ...fields });

/** The data of a chart of plugin 7, with the time `at` if they have one. */
export const data = (chartId: string, content: unknown, at?: number) =>
  dataRecord(chartId, content, at === undefined ? ofSeven : { ...ofSeven, at });

/** A history of a chart of plugin 7. */
export const history = (chartId: string, times: readonly number[], series: readonly object[]) => ({
  ...historyRecord(chartId, times, series),
  ...ofSeven,
});

/** An event of plugin 7. */
export const event = (time: number, title: string, url: string | null = null) => ({
  record: 'event',
  ...ofSeven,
  time,
  title,
  url,
});

/**
 * Serves a new store with what archives bring, imported one after another, until the tests of the file end.
 */
export async function serveRecords(...archives: readonly (readonly object[])[]): Promise<TestServer> {
  const store = join(makeDirectory(), 'records.db');
  for (const records of archives) await importRecords(store, records, 2);
  const server = await serveStore(store);
  after(() => server[Symbol.asyncDispose]());
  return server;
}
