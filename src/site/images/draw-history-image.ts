/** Loads and draws the history of a chart of shares. */

import { drawHistory } from '../../draw/history/draw-history.ts';
import type { HistoryToDraw } from '../../draw/history/history-to-draw.ts';
import type { HistoryUnit } from '../../draw/history/history-unit.ts';
import { drawMessage } from '../../draw/message.ts';
import { countryName } from '../../draw/shares/country-name.ts';
import { shownName } from '../../draw/shares/parse-shares.ts';
import { formOf } from '../../model/chart-types.ts';
import { hasShares } from '../../model/data-shares.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PluginChart } from '../../model/plugin.ts';
import { loadEvents } from '../charts/load-events.ts';
import { type LoadedHistory, loadHistory } from '../charts/load-history.ts';
import { type ChartImageRequest, pictureOptions } from './draw-chart-image.ts';

/** The history of one chart as a picture. */
interface HistoryImageRequest extends ChartImageRequest {
  readonly unit: HistoryUnit;
}

/** Loads a history and draws it, or a sentence for a chart that has none; rejects as the reader does. */
export async function drawHistoryImage(
  reader: MetricsReader,
  { pluginId, chartId, picture, unit }: HistoryImageRequest,
): Promise<string> {
  const { range, width } = picture;
  const { chart, history, events } = await reader.read(async (view) => {
    const found = await view.getChart(pluginId, chartId);
    if (!hasShares(found.type)) return { chart: found };
    const loaded = await loadHistory(view, { uid: found.uid, range, width });
    if (loaded === undefined) return { chart: found };
    if (!found.hasEvents) return { chart: found, history: loaded };
    return { chart: found, history: loaded, events: await loadEvents(view, { pluginId, width, ...loaded }) };
  });
  const options = pictureOptions(picture);
  if (history === undefined) return drawMessage(sentenceWithout(chart), { title: chart.title, ...options });
  return drawHistory({ ...historyToDraw(chart, history), events }, { ...options, range, unit });
}

function sentenceWithout({ type }: PluginChart): string {
  if (hasShares(type)) return 'No history yet.';
  return formOf(type) === 'line'
    ? 'This chart is a line: leave out view=history to see it.'
    : 'Only pies, maps and bars have a history.';
}

function historyToDraw(
  { title, pluginName, isDefault, type }: PluginChart,
  { series, firsts, lasts, otherCount, isCut, ...times }: LoadedHistory,
): HistoryToDraw {
  const nameOf = formOf(type) === 'map' ? countryName : shownName;
  const drawn = series.map(({ share, isOther, values }, rank) => {
    return { name: nameOf(share.name), isOther, values, first: firsts[rank] ?? 0, last: lasts[rank] ?? 0 };
  });
  const other = drawn.find(({ isOther }) => isOther);
  return {
    ...times,
    title: title + (isCut ? ' (newest part)' : ''),
    pluginName,
    isDefault,
    shares: drawn.filter(({ isOther }) => !isOther),
    other: other && { ...other, shareCount: otherCount },
  };
}
