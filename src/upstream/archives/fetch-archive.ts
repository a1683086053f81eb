/** Fetches a plugin as an archive from a server with `/api/v2`. */
import { v2PathOf } from '../../client/http.ts';
import { checkShape } from '../../json/check-shape.ts';
import { parseJson } from '../../json/parse-json.ts';
import { unknownPlugin } from '../../model/app-error.ts';
import { shapeOf } from '../../model/chart-forms.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { endOfWindowBehind, type Span } from '../../model/window.ts';
import { parseReceived, type UpstreamServer } from '../connection/upstream-server.ts';
import { chartTimes, hasPruned } from '../copy-rules.ts';
import type { ReceivedPlugin } from '../received-plugin.ts';
import { elementOf, type UpstreamLists } from '../upstream-lists.ts';
import { pluginNowShape } from '../upstream-shapes.ts';
import { type ArchiveRules, archiveRecords, type RecordBatches } from './archive-records.ts';

/**
 * Reads the records of an archive and checks each line by the rules of an import; throws AppError `invalid`,
 * placed at a line. The command line passes it in, because the rooms `archive` and `upstream` do not import
 * each other.
 */
export type ReadArchive = (archive: {
  /** Name of the archive in messages. */
  readonly name: string;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}) => RecordBatches;

/** Options of {@link fetchArchive}. */
interface ArchiveOptions extends Omit<ArchiveRules, 'choose' | 'isShown' | 'hasPast'> {
  readonly server: UpstreamServer;
  readonly lists: UpstreamLists;
  readonly readArchive: ReadArchive;
  /** The store to fill; undefined if it does not exist yet. */
  readonly stored: MetricsReader | undefined;
  readonly now: () => number;
}

/**
 * Fetches everything about a plugin that the store may lack.
 * @returns undefined if the server has no archives.
 * @throws AppError placed at a URL: `not_found` if the server does not have the plugin, `unavailable` if it
 * does not answer, `invalid` if its answer breaks a rule.
 */
export async function fetchArchive(
  options: ArchiveOptions,
  pluginId: number,
): Promise<ReceivedPlugin | undefined> {
  const { server, lists, readArchive } = options;
  const { spans: storedSpans, shownIds } = await loadStored(options.stored, pluginId);
  const archive = await server.findArchive(pluginId, await findSince(options, pluginId, storedSpans));
  if (archive === undefined) return undefined;
  return {
    id: pluginId,
    place: archive.url,
    source: (choose, copyRules) => ({
      records: () =>
        archiveRecords(readArchive({ name: archive.url, blocks: archive.blocks }), pluginId, {
          ...options,
          ...copyRules,
          isShown: (chartId) => shownIds.has(chartId),
          hasPast: (chartId) => storedSpans.get(chartId) !== undefined,
          choose: (plugin, software) =>
            choose({ ...plugin, software }, elementOf(lists.software, software.id) ?? software),
        }),
    }),
    [Symbol.asyncDispose]: archive[Symbol.asyncDispose],
  };
}

/** Spans by chart id; undefined for a chart without points or history. */
type Spans = ReadonlyMap<string, Span | undefined>;

const halfHourMs = 1_800_000;

/** Overlap of requests with the newest stored points, which the source may have corrected. */
const slackMs = 4 * halfHourMs;

/**
 * A chart without new points that is further behind the newest time of the plugin than this does not move the
 * start of the request back.
 */
const maxLagMs = 96 * halfHourMs;

/** Finds the time to request from: everything before it is already stored. */
async function findSince(options: ArchiveOptions, pluginId: number, storedSpans: Spans): Promise<number> {
  const { server, removals, isAgain, trimsLeadingZeros, now } = options;
  const isPruned = storedSpans.keys().some((chartId) => hasPruned(removals, pluginId, chartId));
  if (storedSpans.size === 0 || (isAgain && isPruned)) return 0;
  const since = [options.historyAt ?? Number.POSITIVE_INFINITY];
  const newest = Math.max(...storedSpans.values().map((span) => span?.last ?? 0));
  for (const [chartId, span] of await fetchSpans(server, pluginId)) {
    if (span === undefined || (!isAgain && removals.hasChart(pluginId, chartId))) continue;
    const { prunedBefore, removed } = chartTimes(options, pluginId, chartId);
    const stored = storedSpans.get(chartId);
    // If the time after the newest stored point was removed, nothing up to the end of that window is missing.
    const known =
      stored === undefined
        ? 0
        : Math.max(stored.last, Math.min(endOfWindowBehind(removed, stored.last), now()));
    const last = Math.max(prunedBefore, known);
    // If the newest stored time is ahead of the clock, earlier points may be missing.
    if (last > now()) return 0;
    if (last > 0) {
      if (span.last > last || last > newest - maxLagMs) since.push(last - slackMs);
    } else if (!trimsLeadingZeros || !storedSpans.has(chartId)) since.push(span.first);
  }
  const earliest = Math.min(...since);
  return Number.isFinite(earliest) ? Math.max(0, earliest) : 0;
}

/**
 * Charts of a plugin in the store: their spans, and the ids of charts that show data, or show empty data with
 * a time.
 */
interface StoredCharts {
  readonly spans: Spans;
  readonly shownIds: ReadonlySet<string>;
}

/** Loads the charts of a plugin; empty if the plugin or the store does not exist yet. */
async function loadStored(stored: MetricsReader | undefined, pluginId: number): Promise<StoredCharts> {
  const found = new Map<string, Span | undefined>();
  const shownIds = new Set<string>();
  await stored?.read(async (view) => {
    for await (const charts of view.listCharts(pluginId)) {
      const spans = await view.findSpans(charts.map(({ uid }) => uid));
      for (const { chartId, uid, type } of charts) {
        found.set(chartId, spans.get(uid));
        const data = await view.readChartData(pluginId, chartId, 0);
        if (data.storage === 'latest' && (data.json !== shapeOf(type).emptyData || data.at !== null))
          shownIds.add(chartId);
      }
    }
  });
  return { spans: found, shownIds };
}

/** Fetches the spans of the charts of a plugin. */
async function fetchSpans(server: UpstreamServer, pluginId: number): Promise<Spans> {
  const body = await server.get(v2PathOf('plugins', pluginId));
  if (body.json.length === 0) throw unknownPlugin(pluginId).at(body.url);
  return parseReceived(body, (json) => {
    const plugin = parseJson(json);
    checkShape(pluginNowShape, plugin, '');
    const { charts } = plugin as {
      readonly charts: readonly (Record<'first' | 'last', number | null> & { readonly chartId: string })[];
    };
    return new Map(
      charts.map(({ chartId, first, last }) => [
        chartId,
        first === null || last === null ? undefined : { first, last },
      ]),
    );
  });
}
