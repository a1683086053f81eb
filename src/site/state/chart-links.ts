/** The links below a chart, which follow what the chart shows. */

import { lineStep } from '../../draw/time-step.ts';
import { chartNamesText } from '../../model/chart.ts';
import { withQuery } from '../address/paths.ts';
import { type CompareQuery, compareAddress, shownCharts } from './compare-query.ts';
import { write } from './fields.ts';
import { csvFields, effective, type PageState } from './page-state.ts';
import { chartPictureAddress, linesPictureAddress } from './pictures.ts';
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
  readonly svg: string;
  readonly png: string;
}

/** The links of a chart in a state of its page. */
export function chartLinks({ pluginId, chartId, form, csvPath }: LinkedChart, state: PageState): ChartLinks {
  const { filters: _, ...shown } = state;
  const picture = (extension: 'svg' | 'png') =>
    chartPictureAddress({ pluginId, chartId }, extension, { ...shown, form });
  return {
    csv: withQuery(csvPath, write(csvFields, effective(shown, form))),
    compare: compareAddress({ charts: [{ pluginId, chartId }], window: state.window }),
    svg: picture('svg'),
    png: picture('png'),
  };
}

/** The links of a comparison; its lines show `lengthMs`. */
export function comparisonLinks(query: CompareQuery, lengthMs: number): Omit<ChartLinks, 'compare'> {
  const { mode, axis, window } = query;
  const charts = shownCharts(query);
  const picture = (extension: 'svg' | 'png') =>
    linesPictureAddress(extension, { charts, mode, axis, window });
  return {
    csv: withQuery('/api/v2/series.csv', {
      charts: chartNamesText(charts),
      ...windowParameters(window),
      step: lineStep(lengthMs),
      sum: mode === 'sum' ? 'true' : undefined,
    }),
    svg: picture('svg'),
    png: picture('png'),
  };
}
