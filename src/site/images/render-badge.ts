/** Makes badges, drawn or for shields.io to draw. */

import { drawBadge } from '../../draw/badge.ts';
import type { Badge } from '../../draw/badge-look.ts';
import { latestOf } from '../../draw/describe.ts';
import { formatShort } from '../../draw/format.ts';
import type { ChartName } from '../../model/chart.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { subjectOf } from '../charts/comparison-words.ts';
import { shapesOfSum } from '../charts/line-shapes.ts';
import { loadChart } from '../charts/load-chart.ts';
import { loadComparison } from '../charts/load-comparison.ts';
import { takeSteps } from '../charts/steps.ts';
import type { BadgeParameters } from './badge-parameters.ts';

/** Words of a badge. */
export interface BadgeWords {
  /** The label, unless the query has one. */
  readonly label: string;
  /** Undefined if there is no data. */
  readonly message: string | undefined;
}

/** Longest message in characters; longer ones are cut, as names of slices may have 200. */
const maxMessageLength = 60;

/** The shortest time that shields.io accepts, in seconds. */
const cacheSeconds = 300;

/** The latest value of a chart; rejects as the reader does. */
export async function wordsOfChart(
  reader: MetricsReader,
  { pluginId, chartId }: ChartName,
): Promise<BadgeWords> {
  const chart = await loadChart(reader, { pluginId, chartId, range: '1d', width: 1, hasEvents: false });
  return { label: chart.title, message: latestOf(chart) };
}

/** The latest value of a sum; rejects as {@link loadComparison} does. */
export async function wordsOfSum(reader: MetricsReader, charts: readonly ChartName[]): Promise<BadgeWords> {
  const pictures = [{ width: 1 }];
  const request = { charts, mode: 'sum', range: '30d', pictures } as const;
  const { found, loaded } = await reader.read((view) => loadComparison(view, request));
  const [sum] = await takeSteps(shapesOfSum(loaded, pictures));
  const hasPoints = sum !== undefined && sum.pointCount > 0;
  return { label: subjectOf(found) ?? 'Sum', message: hasPoints ? formatShort(sum.latestValue) : undefined };
}

/** Renders a badge. */
export function renderBadge(words: BadgeWords, badge: BadgeParameters, extension: 'svg' | 'json'): string {
  const { message } = words;
  const label = badge.label === '' ? words.label : badge.label;
  const made: Badge =
    message === undefined
      ? { ...badge, label, message: 'no data', color: 'lightgrey' }
      : { ...badge, label, message: cutMessage(message) };
  return extension === 'svg' ? drawBadge(made) : endpointBadge(made);
}

/** Renders the JSON of https://shields.io/badges/endpoint-badge. */
function endpointBadge({ label, message, color }: Badge): string {
  return JSON.stringify({ schemaVersion: 1, label, message, color, cacheSeconds });
}

function cutMessage(message: string): string {
  const characters = Array.from(message);
  return characters.length <= maxMessageLength
    ? message
    : `${characters.slice(0, maxMessageLength - 1).join('')}…`;
}
