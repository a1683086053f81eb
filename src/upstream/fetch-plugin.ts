/** Fetches a plugin from another server, with the data that the store lacks. */
import { pathOf } from '../client/http.ts';
import { AppError, unknownPlugin } from '../model/app-error.ts';
import type { Chart } from '../model/catalogue.ts';
import {
  batchRecords,
  type MetricsRecord,
  type RecordSource,
  type SoftwareFields,
} from '../model/metrics-record.ts';
import { liesIn, type Windows } from '../model/window.ts';
import { parseReceived, type UpstreamBody } from './connection/upstream-server.ts';
import { chartTimes, pointsWithin, takesChart } from './copy-rules.ts';
import { type DataOptions, type DataRecord, fetchChartData } from './fetch-data.ts';
import { ownerOf, parsePluginBody, parseRegistryBody } from './parse-lists.ts';
import type { ReceivedPlugin } from './received-plugin.ts';
import { elementOf, type UpstreamLists } from './upstream-lists.ts';

/** Options of {@link fetchPlugin}. */
interface PluginOptions extends DataOptions {
  readonly lists: UpstreamLists;
}

/** Limit on the data of one plugin, which is held in memory until it is written. */
const maxHeldBytes = 1024 * 1024 * 1024;

/**
 * Fetches a plugin.
 * @throws AppError placed at a URL: `not_found` if the server does not have the plugin, `unavailable` if it
 * does not answer, `invalid` if its answer breaks a rule.
 */
export async function fetchPlugin(options: PluginOptions, pluginId: number): Promise<ReceivedPlugin> {
  const { server } = options;
  const body = await server.get(pathOf('plugins', pluginId));
  if (body.json.length === 0) throw unknownPlugin(pluginId).at(body.url);
  const received = parseReceived(body, (json) => parsePluginBody(json, pluginId));
  const isComplete = received.software !== undefined && received.isGlobal !== undefined;
  const listed = isComplete ? undefined : elementOf(await options.lists.plugins(), pluginId);
  const reference = received.software ?? listed?.software;
  if (reference === undefined) {
    const message = `neither the plugin nor the plugin list names the software of plugin ${pluginId}`;
    throw new AppError('invalid', message, { place: body.url });
  }
  const listedSoftware = elementOf(options.lists.software, reference.id);
  const fields = {
    id: pluginId,
    name: received.name,
    owner: ownerOf(received.owner, listed?.owner),
    software: reference,
    isGlobal: received.isGlobal ?? listed?.isGlobal ?? false,
  };
  const charts = await fetchData(
    options,
    pluginId,
    received.charts ?? (await fetchCharts(options, pluginId)),
  );
  const place = body.url;
  return {
    id: pluginId,
    place,
    source(choose, copyRules) {
      const software = choose(fields, listedSoftware);
      const { software: _, ...rest } = fields;
      return sourceOf([
        { kind: 'software', place, software },
        { kind: 'plugin', place, plugin: { ...rest, softwareId: software.id } },
        // Charts may have been removed from the store since they were fetched.
        ...charts
          .filter(({ chart }) => takesChart(copyRules, pluginId, chart))
          .flatMap(({ chart, data }) => [
            { kind: 'chart', place, pluginId, chart } as const,
            ...data.flatMap((record) =>
              withoutRemoved(record, chartTimes(copyRules, pluginId, chart.chartId).taken),
            ),
          ]),
        { kind: 'end', place },
      ]);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Removes data in windows that were removed from the store. */
function withoutRemoved(record: DataRecord, taken: Windows): readonly DataRecord[] {
  if (record.at !== undefined && !liesIn(taken, record.at)) return [];
  const dataFor = (typeName: string) => {
    const data = record.dataFor(typeName);
    return data.storage === 'points' ? { ...data, points: pointsWithin(data.points, taken) } : data;
  };
  return [{ ...record, dataFor }];
}

async function fetchCharts({ server }: PluginOptions, pluginId: number): Promise<readonly Chart[]> {
  const body: UpstreamBody = await server.get(pathOf('plugins', pluginId, 'charts'));
  return body.json.length === 0 ? [] : parseReceived(body, parseRegistryBody);
}

/** Fetches the data of the charts that are copied. */
async function fetchData(options: PluginOptions, pluginId: number, charts: readonly Chart[]) {
  const found: { readonly chart: Chart; readonly data: readonly DataRecord[] }[] = [];
  let heldBytes = 0;
  for (const chart of charts) {
    if (!takesChart(options, pluginId, chart)) continue;
    const data = await fetchChartData(options, pluginId, chart);
    found.push({ chart, data });
    const [record] = data;
    if (record === undefined) continue;
    const shown = record.dataFor(chart.type);
    heldBytes += shown.storage === 'points' ? shown.points.times.length * 16 : shown.json.length;
    if (heldBytes > maxHeldBytes) {
      const message = `plugin ${pluginId} has more data than can be stored at once (${maxHeldBytes} bytes)`;
      throw new AppError('invalid', message, { place: record.place });
    }
  }
  return found;
}

/** Makes a source of software records. */
export function softwareSource(software: readonly SoftwareFields[], place: string): RecordSource {
  return sourceOf([
    ...software.map((one) => ({ kind: 'software', place, software: one }) as const),
    { kind: 'end', place },
  ]);
}

function sourceOf(records: readonly MetricsRecord[]): RecordSource {
  return {
    async *records() {
      yield* batchRecords(records);
    },
  };
}
