// Writes the sample archive: `node sample/generate.ts [FILE]`. The same source gives the same lines everywhere.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { barePluginId, plugins, type SamplePlugin, software } from './catalogue.ts';
import type { SampleChart } from './chart.ts';
import { createCustomCharts } from './custom-charts.ts';
import { createDefaultCharts } from './default-charts.ts';

const uidsPerPlugin = 100;

/** The lines of the sample archive, without line ends, from the header to the end record. */
export function sampleArchiveLines(): string[] {
  const lines = software.map((one) => JSON.stringify({ record: 'software', ...one }));
  // Numbers the records of the same chart.
  const dataLines: string[][] = [];
  for (const plugin of plugins) {
    const { id, name, owner, softwareId, isGlobal } = plugin;
    lines.push(JSON.stringify({ record: 'plugin', id, name, owner, softwareId, isGlobal }));
    if (id === barePluginId) continue;
    for (const [index, { chart, ...where }] of chartsOf(plugin).entries()) {
      const { chartId, type, title, settings } = chart;
      const { position, isDefault } = where;
      const uid = id * uidsPerPlugin + index;
      const head = { record: 'chart', pluginId: id, chartId, uid, type, position, title, isDefault };
      lines.push(withData(head, settings));
      for (const [round, data] of chart.data.entries()) {
        dataLines[round] ??= [];
        dataLines[round].push(withData({ record: 'data', pluginId: id, chartId }, data));
      }
    }
  }
  // Week after week for all charts, like a collector. The timestamps of one week are then close together, which makes the
  // gzip file 10% smaller.
  lines.push(...dataLines.flat());
  const [header, end] = [
    { record: 'archive', version: 1 },
    { record: 'end', records: lines.length },
  ];
  return [JSON.stringify(header), ...lines, JSON.stringify(end)];
}

function chartsOf(plugin: SamplePlugin) {
  const defaultCharts = createDefaultCharts(plugin);
  const place = (chart: SampleChart, position: number, isDefault: boolean) => ({
    chart,
    position,
    isDefault,
  });
  return [
    ...defaultCharts.map((chart, index) => place(chart, index, true)),
    ...createCustomCharts(plugin).map((chart, index) =>
      place(chart, defaultCharts.length + (chart.place ?? index), false),
    ),
  ];
}

/** A record whose `data` is already text, which is not parsed. */
function withData(head: object, data: string): string {
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}}`;
}

if (import.meta.main) {
  const file = process.argv[2] ?? fileURLToPath(new URL('sample.ndjson.gz', import.meta.url));
  writeFileSync(file, gzipSync(`${sampleArchiveLines().join('\n')}\n`, { level: 9 }));
}
