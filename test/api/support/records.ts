/** Records of a plugin with charts, and servers of stores with them. */
import { join } from 'node:path';
import { after } from 'node:test';
import { importRecords, makeDirectory, serveStore, type TestServer } from '../../http/support/test-server.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The software of all plugins. */
export const software = {
  record: 'software',
  id: 1,
  name: 'Software',
  url: 'software',
  globalPluginId: null,
};

/** A plugin; number 7 unless the fields say another id. */
export const plugin = (fields: Fields = {}) => ({
  record: 'plugin',
  id: 7,
  name: 'Plugin',
  owner: { id: 1, name: 'Owner' },
  softwareId: 1,
  isGlobal: false,
  ...fields,
});

/** A chart of plugin 7. */
export const chart = (chartId: string, uid: number, type: string, fields: Fields = {}) => ({
  record: 'chart',
  pluginId: 7,
  chartId,
  uid,
  type,
  position: uid,
  title: `Title of ${chartId}`,
  isDefault: false,
  data: {},
  ...fields,
});

/** The data of a chart of plugin 7, with the time `at` if they have one. */
export const data = (chartId: string, content: unknown, at?: number) => ({
  record: 'data',
  pluginId: 7,
  chartId,
  data: content,
  ...(at === undefined ? {} : { at }),
});

/** A history of a chart of plugin 7. */
export const history = (chartId: string, times: readonly number[], series: readonly object[]) => ({
  record: 'history',
  pluginId: 7,
  chartId,
  times,
  series,
});

/** An event of plugin 7. */
export const event = (time: number, title: string, url: string | null = null) => ({
  record: 'event',
  pluginId: 7,
  time,
  title,
  url,
});

/** Serves a new store with what archives bring, imported one after another, until the tests of the file end. */
export async function serveRecords(...archives: readonly (readonly object[])[]): Promise<TestServer> {
  const store = join(makeDirectory(), 'records.db');
  for (const records of archives) await importRecords(store, records, 2);
  const server = await serveStore(store);
  after(() => server[Symbol.asyncDispose]());
  return server;
}
