// Writes the sample archive: `node sample/generate.ts [FILE]`. The same source gives the same lines
// everywhere.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { archive, catalogueRecords, type MadeChart } from '../catalogues/records.ts';
import { barePluginId, plugins, type SamplePlugin, software } from './catalogue.ts';
import { createCustomCharts } from './custom-charts.ts';
import { createDefaultCharts } from './default-charts.ts';
import { withHistory } from './history.ts';
import { listSampleEvents } from './pasts.ts';
import { createServers } from './server-lines.ts';

const uidsPerPlugin = 100;

/** The sample archive, in blocks. */
export function sampleArchive(): Iterable<string> {
  const made = plugins.map((plugin) => ({
    plugin,
    charts: plugin.id === barePluginId ? [] : chartsOf(plugin),
    events: listSampleEvents(plugin),
  }));
  return archive(catalogueRecords({ software, plugins: made, inRounds: true }), 2);
}

function chartsOf(plugin: SamplePlugin): readonly MadeChart[] {
  const { points, past } = createServers(plugin);
  const servers = [...past, ...points];
  const defaultCharts = createDefaultCharts(plugin);
  return [
    ...defaultCharts.map((chart, index) => ({ chart, position: index, isDefault: true })),
    ...createCustomCharts(plugin).map((chart, index) => ({
      chart,
      position: defaultCharts.length + (chart.place ?? index),
      isDefault: false,
    })),
  ].map(({ chart, ...place }, index) => ({
    ...withHistory(plugin, chart, servers),
    ...place,
    uid: plugin.id * uidsPerPlugin + index,
  }));
}

if (import.meta.main) {
  const file = process.argv[2] ?? fileURLToPath(new URL('sample.ndjson.gz', import.meta.url));
  writeFileSync(file, gzipSync([...sampleArchive()].join(''), { level: 9 }));
}
