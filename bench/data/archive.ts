/** Catalogues as archives, generated block by block in bounded memory. */
import {
  type Catalogue,
  type CatalogueLine,
  hasCharts,
  lastTimestamp,
  linesOf,
  pluginIds,
  slotMs,
  snapshotId,
  uidOf,
} from './catalogue.ts';
import { lineValues, missingValue } from './line-values.ts';
import { createRandom } from './random.ts';

// In the form that `export` writes.
const pointsPerRecord = 5000;
const blockLength = 2 ** 16;
// The types of the default charts, but all with the data of a pie: a store does not validate them.
const sliceCounts = [2, 16, 7, 9, 10, 3, 14, 6, 28, 4];
const softwareNames = ['Bukkit', 'BungeeCord', 'Velocity', 'Sponge', 'Fabric'];

/** The whole catalogue. */
export function catalogueArchive(catalogue: Catalogue): Iterable<string> {
  return archive(catalogueRecords(catalogue));
}

/** An archive of these records, in blocks. The version is 2 where a record has times of its own: `at`, or a history. */
export function* archive(records: Iterable<string>, version: 1 | 2 = 1): Generator<string> {
  let block = `{"record":"archive","version":${version}}\n`;
  let recordCount = 0;
  for (const record of records) {
    block += `${record}\n`;
    recordCount++;
    if (block.length < blockLength) continue;
    yield block;
    block = '';
  }
  yield `${block}{"record":"end","records":${recordCount}}\n`;
}

/** One plugin under another name: the smallest change to the list of plugins. */
export function renameArchive(pluginId: number, name: string): Iterable<string> {
  return archive([pluginRecord(pluginId, name)]);
}

/** The records of the whole catalogue. */
export function* catalogueRecords(catalogue: Catalogue): Generator<string> {
  const { slotCount } = catalogue;
  const times = entryHeads(lastTimestamp - (slotCount - 1) * slotMs, slotCount);
  for (const [index, name] of softwareNames.entries()) {
    const url = name.toLowerCase();
    yield JSON.stringify({ record: 'software', id: index + 1, name, url, globalPluginId: null });
  }
  for (const pluginId of pluginIds(catalogue)) {
    yield pluginRecord(pluginId, `Plugin${pluginId}`);
    if (hasCharts(catalogue, pluginId)) yield* snapshotRecords(catalogue, pluginId);
    for (const line of linesOf(catalogue, pluginId)) {
      yield lineRecord(line);
      // A line with less history has only the latest slots.
      yield* dataRecords(line, lineValues(line), times.slice(slotCount - line.slotCount));
    }
  }
}

/**
 * The records of more points for every line of a catalogue, after its history.
 * @param more.firstSlot number of half-hours between the end of the history and the first new point.
 */
export function* laterRecords(
  catalogue: Catalogue,
  { firstSlot, slotCount }: { readonly firstSlot: number; readonly slotCount: number },
): Generator<string> {
  const times = entryHeads(lastTimestamp + (1 + firstSlot) * slotMs, slotCount);
  for (const pluginId of pluginIds(catalogue)) {
    for (const line of linesOf(catalogue, pluginId)) {
      yield* dataRecords(line, lineValues({ ...line, seed: line.uid + firstSlot, slotCount }), times);
    }
  }
}

/** `[timestamp,` of every slot. */
function entryHeads(firstTimestamp: number, slotCount: number): string[] {
  return Array.from({ length: slotCount }, (_, slot) => `[${firstTimestamp + slot * slotMs},`);
}

function* dataRecords(line: CatalogueLine, values: Int32Array, times: readonly string[]): Generator<string> {
  for (let start = 0; start < values.length; start += pointsPerRecord) {
    let entries = '';
    const end = Math.min(start + pointsPerRecord, values.length);
    for (let slot = start; slot < end; slot++) {
      const value = values[slot];
      if (value !== missingValue) entries += `,${times[slot]}${value}]`;
    }
    yield dataRecord(line, `[${entries.slice(1)}]`);
  }
}

function* snapshotRecords(catalogue: Catalogue, pluginId: number): Generator<string> {
  for (let index = 0; index < catalogue.snapshotsPerPlugin; index++) {
    const position = catalogue.linesPerPlugin + index;
    const uid = uidOf(catalogue, pluginId, position);
    const chartId = snapshotId(index);
    const data = { filter: { enabled: false, useRegex: false, blacklist: false, filter: [] } };
    yield chartRecord({ pluginId, chartId, uid, type: 'simple_pie', position, data });
    const random = createRandom(uid);
    const sliceCount = sliceCounts[index % sliceCounts.length] ?? 2;
    const slices = Array.from({ length: sliceCount }, (_, slice) => ({
      name: `1.${slice + 7}.${slice % 5}`,
      y: random.below(1000),
    }));
    yield dataRecord({ pluginId, chartId }, JSON.stringify(slices));
  }
}

/** The path of the page of a plugin that has its name from the catalogue. */
export function pagePath(pluginId: number): string {
  return `/plugin/${softwareNames[pluginId % softwareNames.length]?.toLowerCase()}/Plugin${pluginId}/${pluginId}`;
}

function pluginRecord(id: number, name: string): string {
  const ownerId = (id % 9000) + 1;
  const owner = { id: ownerId, name: `Owner${ownerId}` };
  const softwareId = (id % softwareNames.length) + 1;
  return JSON.stringify({ record: 'plugin', id, name, owner, softwareId, isGlobal: false });
}

function lineRecord({ pluginId, chartId, uid }: CatalogueLine): string {
  const data = { lineName: chartId, filter: { enabled: false, maxValue: null, minValue: null } };
  return chartRecord({ pluginId, chartId, uid, type: 'single_linechart', position: 0, data });
}

function chartRecord(chart: {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  readonly type: string;
  readonly position: number;
  readonly data: object;
}): string {
  const { data, ...head } = chart;
  return JSON.stringify({ record: 'chart', ...head, title: chart.chartId, isDefault: true, data });
}

function dataRecord(
  { pluginId, chartId }: { readonly pluginId: number; readonly chartId: string },
  json: string,
): string {
  return `{"record":"data","pluginId":${pluginId},"chartId":"${chartId}","data":${json}}`;
}
