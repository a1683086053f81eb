/** A catalogue as an archive, block by block: nothing is held that has been handed on. */
import { BlockBuffer, pointsPerRecord, sliceTimes, timeDigits } from './blocks.ts';
import {
  type Catalogue,
  type CatalogueLine,
  lastTimestamp,
  linesOf,
  pluginIds,
  slotMs,
  uidOf,
} from './catalogue.ts';
import { lineValues } from './line-values.ts';
import { snapshotAt } from './snapshot.ts';

const header = '{"record":"archive","version":1}\n';
const softwareNames = ['Bukkit', 'BungeeCord', 'Velocity', 'Sponge', 'Fabric'];

/** The whole catalogue, from the header to the end record. */
export function* catalogueArchive(catalogue: Catalogue): Generator<Uint8Array> {
  const buffer = new BlockBuffer();
  const { slotCount } = catalogue;
  const times = timeDigits({ firstTimestamp: lastTimestamp - (slotCount - 1) * slotMs, slotCount, slotMs });
  buffer.text(header);
  let recordCount = 0;
  for (const [index, name] of softwareNames.entries()) {
    const url = name.toLowerCase();
    writeRecord(buffer, { record: 'software', id: index + 1, name, url, globalPluginId: null });
    recordCount++;
  }
  for (const pluginId of pluginIds(catalogue)) {
    const lines = linesOf(catalogue, pluginId);
    recordCount += writePlugin(buffer, catalogue, pluginId) + lines.length;
    for (const line of lines) {
      writeLineChart(buffer, line);
      // The latest slots are those of a line with less history.
      for (const run of runs({ ...line, seed: line.uid })) {
        const from = slotCount - line.slotCount + run.start;
        writeData(buffer, line, {
          values: run.values,
          times: sliceTimes(times, from, from + run.values.length),
        });
        recordCount++;
        yield* whole(buffer.take());
      }
    }
    yield* whole(buffer.take());
  }
  buffer.text(`{"record":"end","records":${recordCount}}\n`);
  yield buffer.takeRest();
}

/**
 * More points for every line of a catalogue, behind its history.
 * @param more.firstSlot how many half-hours lie between the end of the history and the first new point.
 */
export function* laterArchive(
  catalogue: Catalogue,
  more: { readonly firstSlot: number; readonly slotCount: number },
): Generator<Uint8Array> {
  const buffer = new BlockBuffer();
  const firstTimestamp = lastTimestamp + (1 + more.firstSlot) * slotMs;
  const times = timeDigits({ firstTimestamp, slotCount: more.slotCount, slotMs });
  buffer.text(header);
  let recordCount = 0;
  for (const pluginId of pluginIds(catalogue)) {
    for (const line of linesOf(catalogue, pluginId)) {
      for (const run of runs({ ...line, seed: line.uid + more.firstSlot, slotCount: more.slotCount })) {
        const from = run.start;
        writeData(buffer, line, {
          values: run.values,
          times: sliceTimes(times, from, from + run.values.length),
        });
        recordCount++;
      }
    }
    yield* whole(buffer.take());
  }
  buffer.text(`{"record":"end","records":${recordCount}}\n`);
  yield buffer.takeRest();
}

function* runs(
  line: Parameters<typeof lineValues>[0],
): Generator<{ readonly start: number; readonly values: Int32Array }> {
  const values = lineValues(line);
  for (let start = 0; start < values.length; start += pointsPerRecord) {
    yield { start, values: values.subarray(start, start + pointsPerRecord) };
  }
}

/** Writes a plugin and its charts that are no lines; gives how many records that made. */
function writePlugin(buffer: BlockBuffer, catalogue: Catalogue, pluginId: number): number {
  writeRecord(buffer, {
    record: 'plugin',
    id: pluginId,
    name: `Plugin${pluginId}`,
    owner: { id: (pluginId % 9000) + 1, name: `Owner${(pluginId % 9000) + 1}` },
    softwareId: (pluginId % softwareNames.length) + 1,
    isGlobal: false,
  });
  const { linesPerPlugin, snapshotsPerPlugin } = catalogue;
  for (let index = 0; index < snapshotsPerPlugin; index++) {
    const position = linesPerPlugin + index;
    const uid = uidOf(catalogue, pluginId, position);
    const { chartId, type, title, json } = snapshotAt(index, uid);
    const settings = { filter: { enabled: false, useRegex: false, blacklist: false, filter: [] } };
    const head = { record: 'chart', pluginId, chartId, uid, type, position, title, isDefault: true };
    writeRecord(buffer, { ...head, data: settings });
    buffer.text(`{"record":"data","pluginId":${pluginId},"chartId":"${chartId}","data":${json}}\n`);
  }
  return 1 + 2 * snapshotsPerPlugin;
}

function writeLineChart(buffer: BlockBuffer, line: CatalogueLine): void {
  const { pluginId, chartId, uid } = line;
  writeRecord(buffer, {
    record: 'chart',
    pluginId,
    chartId,
    uid,
    type: 'single_linechart',
    position: 0,
    title: chartId,
    isDefault: true,
    data: { lineName: chartId, filter: { enabled: false, maxValue: null, minValue: null } },
  });
}

function writeData(
  buffer: BlockBuffer,
  line: CatalogueLine,
  run: { readonly times: Uint8Array; readonly values: Int32Array },
): void {
  buffer.text(`{"record":"data","pluginId":${line.pluginId},"chartId":"${line.chartId}","data":[`);
  buffer.points(run);
  buffer.text(']}\n');
}

function writeRecord(buffer: BlockBuffer, record: object): void {
  buffer.text(`${JSON.stringify(record)}\n`);
}

function* whole(block: Uint8Array | undefined): Generator<Uint8Array> {
  if (block !== undefined) yield block;
}
