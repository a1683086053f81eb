/** Catalogues as archives, generated block by block in bounded memory. */
import { pointTexts, slotMs } from '../../catalogues/lines.ts';
import { createRandom } from '../../catalogues/random.ts';
import {
  archive,
  catalogueRecords,
  dataRecords,
  type MadeChart,
  type MadePlugin,
  pluginRecord,
} from '../../catalogues/records.ts';
import { defaultPieSettings, lineSettings } from '../../catalogues/settings.ts';
import { sharesData } from '../../catalogues/shares.ts';
import { type Catalogue, hasCharts, linesOf, pieId, pluginIds, uidOf } from './catalogue.ts';
import { lastTimestamp, linePoints } from './line-points.ts';

// The same number of points per record as in archives of `export`.
const pointsPerRecord = 5000;
// Number of slices of each pie, similar to those of the default charts.
const sliceCounts = [2, 16, 7, 9, 10, 3, 14, 6, 28, 4];
const softwareNames = ['Bukkit', 'BungeeCord', 'Velocity', 'Sponge', 'Fabric'];

/** Renders the whole catalogue as an archive. */
export function catalogueArchive(catalogue: Catalogue): Iterable<string> {
  return archive(recordsOf(catalogue));
}

/** Renders one plugin under another name as an archive: the smallest change to the plugin list. */
export function renameArchive(pluginId: number, name: string): Iterable<string> {
  return archive([pluginRecord({ ...pluginOf(pluginId), name })]);
}

/** Yields the records of the whole catalogue. */
export function recordsOf(catalogue: Catalogue): Iterable<string> {
  const software = softwareNames.map((name, index) => ({
    id: index + 1,
    name,
    url: name.toLowerCase(),
    globalPluginId: null,
  }));
  return catalogueRecords({ software, plugins: plugins() });
  function* plugins() {
    for (const id of pluginIds(catalogue)) yield { plugin: pluginOf(id), charts: chartsOf(catalogue, id) };
  }
}

/**
 * Yields records with more points for every line of a catalogue, after its history.
 * @param more.firstSlot number of half-hours between the end of the history and the first new point.
 */
export function* laterRecords(
  catalogue: Catalogue,
  { firstSlot, slotCount }: { readonly firstSlot: number; readonly slotCount: number },
): Generator<string> {
  const last = lastTimestamp + (firstSlot + slotCount) * slotMs;
  for (const line of pluginIds(catalogue).flatMap((id) => linesOf(catalogue, id))) {
    const points = linePoints({ ...line, seed: line.uid + firstSlot, slotCount }, last);
    yield* dataRecords(line.pluginId, { ...line, data: pointTexts(points, pointsPerRecord) });
  }
}

function* chartsOf(catalogue: Catalogue, pluginId: number): Generator<MadeChart> {
  if (!hasCharts(catalogue, pluginId)) return;
  for (let index = 0; index < catalogue.piesPerPlugin; index++) {
    const position = catalogue.linesPerPlugin + index;
    const [chartId, type] = [pieId(index), 'simple_pie'];
    const uid = uidOf(catalogue, pluginId, position);
    const random = createRandom(`pie ${uid}`);
    const sliceCount = sliceCounts[index % sliceCounts.length] ?? 2;
    const slices = Array.from({ length: sliceCount }, (_, slice) => ({
      name: `1.${slice + 7}.${slice % 5}`,
      value: random.below(1000),
    }));
    const data = [sharesData(type, slices)];
    const settings = defaultPieSettings;
    yield { chartId, uid, type, position, title: chartId, isDefault: true, settings, data };
  }
  for (const line of linesOf(catalogue, pluginId)) {
    const { chartId, uid } = line;
    const data = pointTexts(linePoints(line), pointsPerRecord);
    const head = { chartId, uid, type: 'single_linechart', position: 0, title: chartId, isDefault: true };
    yield { ...head, settings: lineSettings(chartId), data };
  }
}

/** Returns the path of the page of a plugin with its original name. */
export function pagePath(pluginId: number): string {
  return `/plugin/${softwareNames[pluginId % softwareNames.length]?.toLowerCase()}/Plugin${pluginId}/${pluginId}`;
}

function pluginOf(id: number): MadePlugin {
  const ownerId = (id % 9000) + 1;
  const owner = { id: ownerId, name: `Owner${ownerId}` };
  const softwareId = (id % softwareNames.length) + 1;
  return { id, name: `Plugin${id}`, owner, softwareId, isGlobal: false };
}
