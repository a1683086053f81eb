// Writes the sample archive: `node sample/generate.ts [FILE]`. The same source gives the same lines everywhere.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { barePluginId, plugins, type SamplePlugin, type SampleSoftware, software } from './catalogue.ts';
import type { JsonText, SampleChart } from './chart.ts';
import { createCustomCharts } from './custom-charts.ts';
import { createDefaultCharts } from './default-charts.ts';

const uidsPerPlugin = 100;

/** Yields the lines of the sample archive, without line ends, from the header to the end record. */
export function* sampleArchiveLines(): Generator<string, void, undefined> {
  yield '{"record":"archive","version":1}';
  let recordCount = 0;
  for (const line of recordLines()) {
    recordCount += 1;
    yield line;
  }
  yield `{"record":"end","records":${recordCount}}`;
}

function* recordLines(): Generator<string, void, undefined> {
  for (const entry of software) yield softwareLine(entry);
  const dataRecords: DataRecord[] = [];
  for (const plugin of plugins) {
    yield pluginLine(plugin);
    if (plugin.id === barePluginId) continue;
    const defaultCharts = createDefaultCharts(plugin);
    const charts = [...defaultCharts, ...createCustomCharts(plugin, defaultCharts.length)];
    for (const [index, chart] of charts.entries()) {
      yield chartLine(plugin, chart, plugin.id * uidsPerPlugin + index);
      dataRecords.push(...chart.data.map((data, round) => ({ round, line: dataLine(plugin, chart, data) })));
    }
  }
  // Week after week for all charts, as a collector would feed it. The timestamps of one week then lie close
  // together, which takes a tenth off the gzip file.
  dataRecords.sort((one, other) => one.round - other.round);
  for (const { line } of dataRecords) yield line;
}

interface DataRecord {
  /** How many records of the same chart come before. */
  readonly round: number;
  readonly line: string;
}

function softwareLine({ id, name, url, globalPluginId }: SampleSoftware): string {
  return JSON.stringify({ record: 'software', id, name, url, globalPluginId });
}

function pluginLine({ id, name, owner, softwareId, isGlobal }: SamplePlugin): string {
  return JSON.stringify({ record: 'plugin', id, name, owner, softwareId, isGlobal });
}

function chartLine(plugin: SamplePlugin, chart: SampleChart, uid: number): string {
  const { chartId, type, position, title, isDefault, settings } = chart;
  const head = JSON.stringify({
    record: 'chart',
    pluginId: plugin.id,
    chartId,
    uid,
    type,
    position,
    title,
    isDefault,
  });
  // The settings are text already, and stay as they are.
  return `${head.slice(0, -1)},"data":${settings}}`;
}

function dataLine(plugin: SamplePlugin, { chartId }: SampleChart, data: JsonText): string {
  return `{"record":"data","pluginId":${plugin.id},"chartId":${JSON.stringify(chartId)},"data":${data}}`;
}

function packSampleArchive(): Uint8Array {
  let text = '';
  for (const line of sampleArchiveLines()) text += `${line}\n`;
  return gzipSync(text, { level: 9 });
}

if (import.meta.main) {
  const file = process.argv[2] ?? fileURLToPath(new URL('sample.ndjson.gz', import.meta.url));
  writeFileSync(file, packSampleArchive());
}
