// Writes the sample archive: `node sample/generate.ts [FILE]`. The same source gives the same lines everywhere.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { barePluginId, plugins, type SamplePlugin, software } from './catalogue.ts';
import type { SampleChart } from './chart.ts';
import { createCustomCharts } from './custom-charts.ts';
import { createDefaultCharts } from './default-charts.ts';
import { withHistory } from './history.ts';
import { listSampleEvents } from './pasts.ts';
import { createServers } from './server-lines.ts';

const uidsPerPlugin = 100;

/** The lines of the sample archive, without line ends, from the header to the end record. */
export function sampleArchiveLines(): string[] {
  const lines = software.map((one) => JSON.stringify({ record: 'software', ...one }));
  // Record by record for all charts, like a collector. The timestamps of one week are then close together, which makes the
  // gzip file 10% smaller.
  const dataLines = new Rounds();
  const historyLines = new Rounds();
  for (const plugin of plugins) {
    const { id, name, owner, softwareId, isGlobal } = plugin;
    lines.push(JSON.stringify({ record: 'plugin', id, name, owner, softwareId, isGlobal }));
    if (id === barePluginId) continue;
    for (const [index, { chart, ...where }] of chartsOf(plugin).entries()) {
      const { chartId, type, title, settings, at, data, history = [] } = chart;
      const { position, isDefault } = where;
      const uid = id * uidsPerPlugin + index;
      const head = { record: 'chart', pluginId: id, chartId, uid, type, position, title, isDefault };
      lines.push(withMembers(head, `"data":${settings}`));
      const time = at === undefined ? '' : `,"at":${at}`;
      const name = { pluginId: id, chartId };
      dataLines.add(data.map((text) => withMembers({ record: 'data', ...name }, `"data":${text}${time}`)));
      historyLines.add(history.map((members) => withMembers({ record: 'history', ...name }, members)));
    }
    for (const event of listSampleEvents(plugin))
      dataLines.add([JSON.stringify({ record: 'event', pluginId: id, ...event })]);
  }
  lines.push(...historyLines.all(), ...dataLines.all());
  const [header, end] = [
    { record: 'archive', version: 2 },
    { record: 'end', records: lines.length },
  ];
  return [JSON.stringify(header), ...lines, JSON.stringify(end)];
}

/** Lines of several charts: the first of each, then the second of each, and so on. */
class Rounds {
  readonly #rounds: string[][] = [];

  add(lines: readonly string[]): void {
    for (const [round, line] of lines.entries()) {
      this.#rounds[round] ??= [];
      this.#rounds[round].push(line);
    }
  }

  all(): string[] {
    return this.#rounds.flat();
  }
}

function chartsOf(plugin: SamplePlugin) {
  const { points, past } = createServers(plugin);
  const servers = [...past, ...points];
  const defaultCharts = createDefaultCharts(plugin);
  const place = (chart: SampleChart, position: number, isDefault: boolean) => ({
    chart: withHistory(plugin, chart, servers),
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

/** A record with members that are already text, which is not parsed. */
function withMembers(head: object, members: string): string {
  return `${JSON.stringify(head).slice(0, -1)},${members}}`;
}

if (import.meta.main) {
  const file = process.argv[2] ?? fileURLToPath(new URL('sample.ndjson.gz', import.meta.url));
  writeFileSync(file, gzipSync(`${sampleArchiveLines().join('\n')}\n`, { level: 9 }));
}
