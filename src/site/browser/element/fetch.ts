/** Requests of charts to a server: what it knows of a plugin, series, and parts of the script. Equal ones of a page are sent once. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { ChartName } from '../../../model/chart.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import type { SeriesSource } from '../../../model/series-source.ts';
import { type DataWindow, type Period, type Span, spanOver, windowOverAll } from '../../../model/window.ts';
import type { KnownLine } from '../../../query/load-lines.ts';
import { LostRequest, sendRequest, waitToRetry } from '../retry.ts';
import { addressOf, NoSuchChart, RefusedRequest, serverSource, spanOfChart } from './server-source.ts';

/** A chart as its plugin knows it. */
export interface FetchedChart extends KnownLine {
  readonly type: string;
  readonly source: SeriesSource;
  /** The name in addresses: `1337:players`, percent-encoded. */
  readonly name: string;
  readonly plugin: {
    readonly id: number;
    readonly name: string;
    readonly software: { readonly name: string };
  };
  /** The events of the plugin in the order of time. */
  readonly events: readonly PluginEvent[];
  /** The chart; with its newest data, if it is no line. */
  readonly chart: ChartToDraw;
  /** The span of the charts with which it shares its window: of itself, or of all of its plugin. */
  readonly shared?: Span | undefined;
}

/**
 * Fetches a chart as its plugin knows it. On the page of the plugin, all charts have the same window.
 * @throws NoSuchChart, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchKnownChart(
  server: string,
  { pluginId, chartId }: ChartName,
  isOnPage: boolean,
): Promise<FetchedChart> {
  const source = serverSource(server, getJson);
  const { plugin, ...found } = await source.chart({ pluginId, chartId });
  const { span, latest } = found;
  const form = formOf(found.type);
  const ofAll = spanOver(plugin.charts.flatMap((each) => spanOfChart(each) ?? []));
  const hadData = span === undefined && isEmpty(latest) && (await hasEndedBefore(server, pluginId, chartId));
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
      // The other charts have the time of the slot in which this one has nothing.
      past: pastOf(span, hadData ? ofAll : undefined),
    },
    shared: isOnPage ? ofAll : span,
  };
}

/** True for the data of shares of which nothing is reported. */
function isEmpty(latest: unknown): boolean {
  const { seriesData } = (latest ?? {}) as { readonly seriesData?: unknown };
  return JSON.stringify(seriesData ?? latest) === '[]';
}

/** Asks the badge of an empty chart without a history whether it had data before. A server without a site has no badges. */
async function hasEndedBefore(server: string, pluginId: number, chartId: string): Promise<boolean> {
  const badge = `${server}/badge/${pluginId}/${encodeURIComponent(chartId)}.json`;
  try {
    return (await getJson<{ readonly message: string }>(badge)).message !== 'no data';
  } catch (error) {
    if (error instanceof LostRequest) throw error;
    return false;
  }
}

function pastOf(span: Span | undefined, ofAll: Span | undefined): ChartToDraw['past'] {
  if (span !== undefined) return { since: span.last, isKept: true };
  return ofAll && { since: ofAll.last, isKept: false };
}

/** The source of charts. @throws NoSuchChart without any */
export function sourceOf([first]: readonly FetchedChart[]): SeriesSource {
  if (first === undefined) throw new NoSuchChart();
  return first.source;
}

/** The window of a period over charts. */
export function windowOfCharts(charts: readonly FetchedChart[], period: Period): DataWindow {
  return windowOverAll(
    period,
    charts.flatMap(({ shared }) => shared ?? []),
  );
}

/** Loads the function that marks the events of a chart; without any, there is nothing to load. */
export async function loadMarks({ events }: FetchedChart) {
  if (events.length === 0) return () => undefined;
  const { marksOf } = await loadPart('events', () => import('./events.ts'));
  return (place: Parameters<typeof marksOf>[1]) => marksOf(events, place);
}

/** Loads what makes tables. */
export const loadTable = () => loadPart('table', () => import('./table.ts'));

/** The time for which an answer is reused: as long as servers usually let caches keep it. */
const keptMs = 60_000;

const answers = new Map<string, Promise<unknown>>();

/** Fetches JSON. Equal requests share one answer, for a minute. */
function getJson<Answer>(url: string): Promise<Answer> {
  return share(url, async () => {
    const { response, text } = await sendRequest(url);
    if (response.status === 404) throw new NoSuchChart();
    if (!response.ok) throw new RefusedRequest(`${url} answered ${response.status}`);
    return JSON.parse(text);
  });
}

/** Shares an answer among all that ask for it. */
function share<Answer>(key: string, send: () => Promise<Answer>): Promise<Answer> {
  if (!answers.has(key)) void keep(key, send);
  return answers.get(key) as Promise<Answer>;
}

/** Keeps an answer. A request that was lost is sent again; meanwhile all get its first error, which calls those who wait for it. */
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
    // A later call sends it again.
    if (waiting.size === 0) {
      answers.delete(key);
      return;
    }
    answer = send();
  }
}

/** A part of the script could not be loaded. After an upgrade the server has other parts: then only a page that is loaded again gets it. */
export class PartFailure extends LostRequest {}

/** Loads a part, once for all. Throws PartFailure. */
export function loadPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  return share(name, () => importPart(name, load));
}

/** The addresses of parts that could not be loaded, as far as the browser says them. */
const failedParts = new Map<string, string>();

/** Loads a part. A browser remembers that an address failed, so the next attempt has another one. Throws PartFailure. */
export async function importPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  const address = failedParts.get(name);
  try {
    return await (address === undefined ? load() : import(`${address}?${Date.now()}`));
  } catch (cause) {
    const [found] = /https?:\S+?\.js/.exec(String(cause)) ?? [];
    if (found !== undefined) failedParts.set(name, found);
    throw new PartFailure(null, cause);
  }
}
