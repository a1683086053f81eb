/**
 * Fetches charts from a server: plugins, series, and parts of the script. Identical requests of a page are
 * sent only once.
 */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { ChartName } from '../../../model/catalogue.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import type { SeriesSource } from '../../../model/series-source.ts';
import { type DataWindow, type Period, type Span, spanOver, windowOverAll } from '../../../model/window.ts';
import type { KnownLine } from '../../../query/load-lines.ts';
import { LostRequest, sendRequest, waitToRetry } from '../retry.ts';
import {
  addressOf,
  NoSuchChart,
  RefusedRequest,
  type ServerSource,
  serverSource,
  spanOfChart,
} from './server-source.ts';

/** A chart with the data that comes with its plugin. */
export interface FetchedChart extends KnownLine {
  readonly type: string;
  readonly source: SeriesSource;
  /** Name in URLs: `1337:players`, percent-encoded. */
  readonly name: string;
  readonly plugin: {
    readonly id: number;
    readonly name: string;
    readonly software: { readonly name: string };
    readonly isGlobal?: boolean;
  };
  /** Events of the plugin, in order of time. */
  readonly events: readonly PluginEvent[];
  /** The chart, with its newest data unless it is a line. */
  readonly chart: ChartToDraw;
  /** Span of the charts that share the window: of this chart, or of all charts of the plugin. */
  readonly shared?: Span | undefined;
}

/** Opens the source at the URL of a server, or of a folder that `publish` has written. */
export async function openSource(address: string, areFiles: boolean): Promise<ServerSource> {
  if (!areFiles) return serverSource(address, getJson);
  return (await loadPart('files', () => import('./file-source.ts'))).fileSource(
    address,
    getJson,
    serverSource,
  );
}

/**
 * Fetches a chart with its plugin. On the page of a plugin, all charts share one window.
 * @throws NoSuchChart, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchKnownChart(
  source: ServerSource,
  { pluginId, chartId }: ChartName,
  isOnPage: boolean,
): Promise<FetchedChart> {
  const { plugin, ...found } = await source.chart({ pluginId, chartId });
  const { span, latest } = found;
  const form = formOf(found.type);
  const ofAll = spanOver(plugin.charts.flatMap((each) => spanOfChart(each) ?? []));
  const hadData = span === undefined && isEmpty(latest) && (await hasEndedBefore(source, found));
  return {
    ...found,
    source,
    name: addressOf(found),
    plugin: { ...plugin, id: pluginId },
    events: (plugin.events ?? []).filter(({ url }) => url === null || /^https?:/i.test(url)),
    chart: {
      ...found,
      form,
      data: form === 'line' ? undefined : latest,
      timestamp: span?.last,
      // The time of the newest data of the other charts tells since when this chart has been empty.
      past: pastOf(span, hadData ? ofAll : undefined),
    },
    shared: isOnPage ? ofAll : span,
  };
}

/** True for data of shares that is empty. */
function isEmpty(latest: unknown): boolean {
  const inner = latest as { readonly seriesData?: unknown } | null | undefined;
  return JSON.stringify(inner?.seriesData ?? latest) === '[]';
}

/**
 * Asks the badge of an empty chart without a history if it had data before. A server without the site has no
 * badges.
 */
async function hasEndedBefore(source: ServerSource, name: ChartName): Promise<boolean> {
  try {
    return (await source.badge(name)).message !== 'no data';
  } catch (error) {
    if (error instanceof LostRequest) throw error;
    return false;
  }
}

function pastOf(span: Span | undefined, ofAll: Span | undefined): ChartToDraw['past'] {
  if (span !== undefined) return { since: span.last, isKept: true };
  return ofAll && { since: ofAll.last, isKept: false };
}

/** Returns the source of some charts. @throws NoSuchChart if there are no charts. */
export function sourceOf([first]: readonly FetchedChart[]): SeriesSource {
  if (first === undefined) throw new NoSuchChart();
  return first.source;
}

/** Returns the window of a period over several charts. */
export function windowOfCharts(charts: readonly FetchedChart[], period: Period): DataWindow {
  return windowOverAll(
    period,
    charts.flatMap(({ shared }) => shared ?? []),
  );
}

/** Loads the function that marks the events of a chart; without events, nothing is loaded. */
export async function loadMarks({ events }: FetchedChart) {
  if (events.length === 0) return () => undefined;
  const { marksOf } = await loadPart('events', () => import('./events.ts'));
  return (place: Parameters<typeof marksOf>[1]) => marksOf(events, place);
}

/** The time for which an answer is reused: as long as servers usually let caches keep it. */
const keptMs = 60_000;

const answers = new Map<string, Promise<unknown>>();

/** Fetches JSON. Identical requests share one response for a minute. */
function getJson<Answer>(url: string): Promise<Answer> {
  return share(url, async () => {
    const { response, text } = await sendRequest(url);
    if (response.status === 404) throw new NoSuchChart();
    if (!response.ok) throw new RefusedRequest(`${url} answered ${response.status}`);
    return JSON.parse(text);
  });
}

/** Shares a response among all callers with the same key. */
function share<Answer>(key: string, send: () => Promise<Answer>): Promise<Answer> {
  if (!answers.has(key)) void keep(key, send);
  return answers.get(key) as Promise<Answer>;
}

/**
 * Caches a response. A lost request is retried; meanwhile all callers get its first error, which notifies
 * those that wait on it.
 */
async function keep(key: string, send: () => Promise<unknown>): Promise<void> {
  let answer = send();
  answers.set(key, answer);
  let waiting: LostRequest['waiting'] | undefined;
  for (let attempt = 0; ; attempt++) {
    const error: unknown = await answer.then(
      () => undefined,
      (reason) => reason,
    );
    if (!(error instanceof LostRequest)) {
      answers.set(key, answer);
      setTimeout(() => answers.delete(key), error === undefined ? keptMs : 0);
      for (const call of waiting ?? []) call();
      return;
    }
    waiting ??= error.waiting;
    await waitToRetry(attempt, error);
    // Nobody waits any more; a later call sends the request again.
    if (waiting.size === 0) {
      answers.delete(key);
      return;
    }
    answer = send();
  }
}

/**
 * Thrown if a part of the script cannot be loaded. After an upgrade the server has other parts, so only
 * reloading the page helps.
 */
export class PartFailure extends LostRequest {}

/** Loads a part once for all callers. Throws PartFailure. */
export function loadPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  return share(name, () => importPart(name, load));
}

/** URLs of parts that failed to load, if the browser tells them. */
const failedParts = new Map<string, string>();

/**
 * Loads a part. Browsers remember that a URL failed, so the next attempt uses another URL. Throws
 * PartFailure.
 */
export async function importPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  const address = failedParts.get(name);
  try {
    return await (address ? import(`${address}?${Date.now()}`) : load());
  } catch (cause) {
    const [found] = /https?:\S+?\.js/.exec(String(cause)) ?? [];
    if (found !== undefined) failedParts.set(name, found);
    throw new PartFailure(null, cause);
  }
}
