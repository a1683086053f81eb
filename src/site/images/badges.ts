/**
 * `/badge/{pluginId}/{chartId}.svg`: the latest value of a chart as a badge;
 * `/badge/sum.svg?charts=1337:players,42:players`: the latest value of a sum. With `.json`, both return the
 * data for shields.io to draw.
 */

import { drawBadge } from '../../draw/badge.ts';
import { type ChartToDraw, latestOf, nothingWords } from '../../draw/chart-content.ts';
import { formatShare, formatShort } from '../../draw/format.ts';
import type { Endpoint, ResponseBody } from '../../http/endpoint.ts';
import type { ChartName } from '../../model/catalogue.ts';
import { hasShares, sharesIn } from '../../model/chart-forms.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { malformedQuery, type Query } from '../../model/parameter.ts';
import { areVersions, shareAtLeast, shareDayOf } from '../../model/versions.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { chartFileOf } from '../address/file-name.ts';
import { type QueryParameters, withQuery } from '../address/paths.ts';
import { findCharts, loadChart } from '../charts/load-chart.ts';
import { findSharesCharts, loadSharesSum, tooManyNames } from '../charts/load-history.ts';
import { loadSum } from '../charts/load-lines.ts';
import { storeSource } from '../charts/store-source.ts';
import { someChartsField } from '../state/chart-state.ts';
import { subjectOf, withNames } from '../state/chart-words.ts';
import { parse, write } from '../state/fields.ts';
import { badgeFields, chartBadgeFields } from '../state/pictures.ts';
import { svgForm } from './picture.ts';

/** Extensions of a badge: drawn here, or data for shields.io. */
const extensions = ['svg', 'json'] as const;

/** Endpoint of the badge of one chart. */
export const chartBadge: Endpoint = {
  path: '/badge/{pluginId}/{file}',
  ask: (request) => {
    const { pluginId, chartId, extension } = chartFileOf(request, extensions);
    const { searchParams: query } = request;
    const { atLeast } = parse(chartBadgeFields, query);
    return badgeBody({
      path: `/badge/${pluginId}/${chartId}`,
      extension,
      query,
      own: write(chartBadgeFields, { atLeast }),
      loadWords: (reader) => wordsOfChart(reader, { pluginId, chartId }, atLeast),
    });
  },
};

const someCharts = someChartsField('line charts, or charts of shares');

/** Endpoints of the badges of a sum, one per extension. */
export const sumBadges: readonly Endpoint[] = extensions.map((extension) => ({
  path: `/badge/sum.${extension}`,
  ask: ({ searchParams: query }) => {
    const charts = someCharts.read(query, 'charts');
    return badgeBody({
      path: '/badge/sum',
      extension,
      query,
      own: someCharts.write(charts, 'charts'),
      loadWords: (reader) => wordsOfSum(reader, charts),
    });
  },
}));

/** A request for a badge. */
interface BadgeRequest {
  /** Path without the extension. */
  readonly path: string;
  readonly extension: (typeof extensions)[number];
  readonly query: Query;
  /** Parameters that only this kind of badge has. */
  readonly own?: QueryParameters;
  readonly loadWords: (reader: MetricsReader) => Promise<BadgeWords>;
}

function badgeBody({ path, extension, query, own, loadWords }: BadgeRequest): ResponseBody {
  const asked = parse(badgeFields, query);
  // For JSON, the service that draws the badge chooses the style.
  const look = extension === 'json' ? { ...asked, style: 'flat' as const } : asked;
  return {
    key: withQuery(`${path}.${extension}`, { ...own, ...write(badgeFields, look) }),
    source: 'data',
    ...(extension === 'svg' ? svgForm : { mediaType: 'application/json; charset=utf-8' }),
    size: 'small',
    async *parts(reader) {
      const words = await loadWords(reader);
      const label = look.label === '' ? words.label : look.label;
      const message = words.message === undefined ? nothingWords(words.past) : cutMessage(words.message);
      const color = words.message === undefined ? 'lightgrey' : look.color;
      // Format: https://shields.io/badges/endpoint-badge
      if (extension === 'json')
        yield JSON.stringify({ schemaVersion: 1, label, message, color, cacheSeconds });
      else yield drawBadge({ label, message, color, style: look.style });
    },
  };
}

/** Texts of a badge. */
interface BadgeWords {
  /** Label, unless the query has one. */
  readonly label: string;
  /** Undefined without data. */
  readonly message: string | undefined;
  readonly past?: ChartToDraw['past'];
}

/** Maximum length of a message in characters; names of slices may be longer and are cut. */
const maxMessageLength = 60;

/** Shortest cache time that shields.io accepts, in seconds. */
const cacheSeconds = 300;

/**
 * Loads the latest value of a chart, or the share of versions from the given one on; rejects as the reader
 * does.
 */
async function wordsOfChart(
  reader: MetricsReader,
  { pluginId, chartId }: ChartName,
  atLeast: string | undefined,
): Promise<BadgeWords> {
  const chart = await loadChart(reader, { pluginId, chartId, range: '1d', width: 1, isPicture: false });
  const message = atLeast === undefined ? latestOf(chart) : await latestAtLeast(chart, atLeast);
  return { label: chart.title, message, past: chart.past };
}

/**
 * Returns the share of a version and all newer ones; undefined without data.
 * @throws AppError `invalid` if the chart is not about versions.
 */
async function latestAtLeast({ form, data }: ChartToDraw, atLeast: string): Promise<string | undefined> {
  await nextTurn();
  const day = shareDayOf(data === undefined ? [] : sharesIn(form, data), null);
  if (data !== undefined && day.sums.size === 0) return undefined;
  if (!areVersions(day))
    throw malformedQuery('atLeast', 'left out for a chart that is none of versions', atLeast);
  await nextTurn();
  return `≥ ${atLeast} ${formatShare(shareAtLeast(day, atLeast))}`;
}

/**
 * Loads the latest value of a sum of lines, or the largest share of a sum of shares; rejects as {@link
 * findCharts} and {@link findSharesCharts} do.
 */
async function wordsOfSum(reader: MetricsReader, charts: readonly ChartName[]): Promise<BadgeWords> {
  return reader.read(async (view) => {
    const source = storeSource(view);
    for (const { pluginId, chartId } of charts.slice(0, 1))
      if (hasShares((await source.getChart(pluginId, chartId)).type)) {
        const added = await findSharesCharts(source, charts);
        const sum = await loadSharesSum(source, added);
        return {
          label: added.label,
          message: sum === undefined ? tooManyNames : latestOf(sum),
          past: sum?.past,
        };
      }
    const found = await findCharts(source, charts);
    // A week gets steps of half an hour, at this width.
    const { times, shares } = await loadSum(source, withNames(found), { range: '7d', width: 800, title: '' });
    const sum = shares.reduce((total, { last }) => total + last, 0);
    return { label: subjectOf(found) ?? 'Sum', message: times.length > 0 ? formatShort(sum) : undefined };
  });
}

function cutMessage(message: string): string {
  const characters = Array.from(message);
  return characters.length <= maxMessageLength
    ? message
    : `${characters.slice(0, maxMessageLength - 1).join('')}…`;
}
