/** The links below a chart, which follow what the chart shows. */

import { comparePath, withQuery } from '../address/paths.ts';
import type { PageState } from './page-state.ts';
import { chartPictureAddress, shareQuery, showsRange } from './picture-address.ts';
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
  { window, view, unit, axis, filters }: PageState,
): ChartLinks {
  const filter = filters.get(chartId);
  const name = `${pluginId}:${chartId}`;
  const range = 'range' in window ? window.range : undefined;
  const isLine = form === 'line';
  const isHistory = !isLine && showsRange({ form, view });
  const times = isLine || isHistory ? windowParameters(window) : {};
  return {
    csv: withQuery(csvPath, {
      view: isHistory ? view : undefined,
      ...times,
      ...shareQuery({ form, view, filter }),
    }),
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
    return chartPictureAddress({ pluginId, chartId }, extension, { form, view, unit, axis, range, filter });
  }
}
