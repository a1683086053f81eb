/** Makes the badge of a chart, drawn or for shields.io to draw. */
import { drawBadge } from '../../draw/badge.ts';
import type { Badge } from '../../draw/badge-look.ts';
import { latestOf } from '../../draw/describe.ts';
import type { Turns } from '../../http/turns.ts';
import type { WorkReader } from '../../http/work/work-reader.ts';
import { readChart } from '../read-chart.ts';
import type { BadgeParameters } from './badge-parameters.ts';

/** The badge of a chart. */
export interface ChartBadgeRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly badge: BadgeParameters;
  readonly extension: 'svg' | 'json';
}

/** Longer ones are cut: names of slices may have 200 characters. */
const maxMessageLength = 60;

/** The least that shields.io takes, in seconds. */
const cacheSeconds = 300;

/** Makes a badge; rejects as the reader does. */
export async function makeChartBadge(
  reader: WorkReader,
  { pluginId, chartId, badge, extension }: ChartBadgeRequest,
  turns: Turns,
): Promise<string> {
  const chart = await readChart(reader, { pluginId, chartId, range: '1d', width: 1 }, turns);
  const message = latestOf(chart);
  const label = badge.label === '' ? chart.title : badge.label;
  const made: Badge =
    message === undefined
      ? { ...badge, label, message: 'no data', color: 'lightgrey' }
      : { ...badge, label, message: cutMessage(message) };
  return extension === 'svg' ? drawBadge(made) : endpointBadge(made);
}

/** The schema of https://shields.io/badges/endpoint-badge. */
function endpointBadge({ label, message, color }: Badge): string {
  return JSON.stringify({ schemaVersion: 1, label, message, color, cacheSeconds });
}

function cutMessage(message: string): string {
  const characters = Array.from(message);
  return characters.length <= maxMessageLength
    ? message
    : `${characters.slice(0, maxMessageLength - 1).join('')}…`;
}
