/** A collector over HTTP and a real store, and what it has counted in the end. */

import { newChartRecord, newPluginRecords, newSoftwareRecords } from '../../../src/cli/new-records.ts';
import type { CollectServer } from '../../../src/collect/listener/collect-server.ts';
import { trustedJson } from '../../../src/model/json-text.ts';
import type { Store } from '../../../src/model/store.ts';
import { openSqliteStore } from '../../../src/store/store.ts';
import { serveReports } from '../../collect/collecting.ts';
import { exportFrom } from '../../contracts/store-contract.ts';
import { allParts } from '../../support/logged-report.ts';
import { countFromNow } from '../../support/metrics.ts';
import { waitUntil } from '../../support/wait-until.ts';

const slotMs = 1_800_000;
const start = 1_782_864_000_000;

/** The plugin of the collector; those of the global plugins are others. */
export const testPluginId = 2;

/** Custom charts of the plugin by id, with a type of each form of report. */
export const testCharts = {
  backend: 'simple_pie',
  features: 'advanced_pie',
  tools: 'drilldown_pie',
  worlds: 'single_linechart',
  modes: 'simple_bar',
  sizes: 'advanced_bar',
} as const;

/** A collector with one plugin of a software. */
export class TestCollector implements AsyncDisposable {
  readonly #store: Store;
  #server: CollectServer;

  private constructor(store: Store, server: CollectServer) {
    this.#store = store;
    this.#server = server;
  }

  /** Makes the store in a file that is not there. */
  static async start(file: string, software: string): Promise<TestCollector> {
    const store = openSqliteStore(file);
    await fillStore(store, software);
    return TestCollector.over(file);
  }

  /** Collects into a store that has the plugin. */
  static async over(file: string): Promise<TestCollector> {
    const store = openSqliteStore(file);
    return new TestCollector(store, await serveReports(store, { now: () => start + 60_000 }));
  }

  get url(): string {
    return this.#server.url;
  }

  /** Ends the slot, and returns the data of the charts that have any, by their ids. */
  async closeSlot(): Promise<Record<string, unknown>> {
    await this.#server[Symbol.asyncDispose]();
    await using reports = await this.#store.openReports();
    await reports.cover(start, allParts);
    await reports[Symbol.asyncDispose]();
    const count = await countFromNow();
    const server = await serveReports(this.#store, { now: () => start + slotMs + 5000 });
    this.#server = server;
    await waitUntil(async () => (await count('slots_closed_total')) > 0);
    return this.data();
  }

  /** Returns the data of the charts that have any, by their ids. */
  async data(): Promise<Record<string, unknown>> {
    const records = (await exportFrom(this.#store))
      .split('\n')
      .filter((line) => line.startsWith('{"record":"data"'))
      .map((line) => JSON.parse(line))
      .filter(({ pluginId }) => pluginId === testPluginId);
    return Object.fromEntries(records.map(({ chartId, data }) => [chartId, data]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** The time of the points of the slot. */
export const slotStart: number = start;

async function fillStore(store: Store, software: string): Promise<void> {
  const owner = { id: 1, name: 'Owner' };
  const plugin = { id: testPluginId, name: 'Plugin', owner, softwareId: 1, isGlobal: false };
  const ids = { softwareId: 1, pluginId: 1, ownerId: 1, chartUid: 1 };
  await using writer = await store.openWriter();
  await writer.write([
    ...newSoftwareRecords({ url: software, name: software }, ids, owner),
    ...newPluginRecords(plugin, software, 200),
    ...Object.entries(testCharts).map(([chartId, type], index) =>
      newChartRecord(
        testPluginId,
        { chartId, type, title: chartId, settings: trustedJson('{}') },
        { uid: 300 + index, position: 100 + index, isDefault: false },
      ),
    ),
    { place: '', kind: 'end' },
  ]);
  await writer.commit();
}
