/** The links below a chart, which follow what the chart shows. */

import { chartPicturePath, comparePath, withQuery } from '../address/paths.ts';
import type { PageState } from './page-state.ts';
import { chartPictureQuery, showsRange } from './picture-query.ts';
import { windowParameters } from './shown-window.ts';

/** A chart, as its links name it. */
interface LinkedChart {
  readonly pluginId: number;
  readonly chartId: string;
  /** The form of its data: `line`, `pie`, … Those of the form `other` have no history. */
  readonly form: string;
  /** The address of its data as CSV. */
  readonly csvPath: string;
}

/** The addresses of the data, the comparison and the pictures of a chart. */
interface ChartLinks {
  readonly csv: string;
  readonly compare: string;
  /** A picture ends at the newest point: undefined if two dates are shown. */
  readonly svg: string | undefined;
  readonly png: string | undefined;
}

/** The links of a chart in a state of its page. */
export function chartLinks(
  { pluginId, chartId, form, csvPath }: LinkedChart,
  { window, view, unit, axis }: PageState,
): ChartLinks {
  const name = `${pluginId}:${chartId}`;
  const range = 'range' in window ? window.range : undefined;
  const isLine = form === 'line';
  const isHistory = !isLine && showsRange({ form, view });
  const isLong = range === '1y' || range === 'all';
  const series = { charts: name, ...windowParameters(window), step: isHistory && isLong ? '1d' : undefined };
  const hasOwnFile = isLine ? range !== undefined : !isHistory;
  return {
    csv: hasOwnFile
      ? withQuery(csvPath, { range: isLine ? range : undefined })
      : withQuery('/api/v2/series.csv', series),
    compare: withQuery(comparePath, {
      charts: name,
      axis: axis === 'linear' ? undefined : axis,
      ...windowParameters(window),
    }),
    svg: picture('svg'),
    png: picture('png'),
  };

  function picture(extension: 'svg' | 'png'): string | undefined {
    if (showsRange({ form, view }) && range === undefined) return undefined;
    const query = chartPictureQuery({ form, view, unit, axis, range });
    return withQuery(chartPicturePath(pluginId, chartId, extension), query);
  }
}
