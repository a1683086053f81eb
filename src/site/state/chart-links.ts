/** The links below a chart, which follow what the chart shows. */

import { comparePath, withQuery } from '../address/paths.ts';
import { type CsvState, csvQuery, usualCsvRange } from './csv-query.ts';
import type { PageState } from './page-state.ts';
import { chartPictureAddress, showsRange } from './picture-address.ts';
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
  const { window, view } = state;
  const shown = { ...state, form };
  const isOverTime = showsRange({ form, view });
  const inFile: CsvState = {
    view: isOverTime && form !== 'line' ? view : 'now',
    window: isOverTime ? window : usualCsvRange,
  };
  const picture = (extension: 'svg' | 'png') => chartPictureAddress({ pluginId, chartId }, extension, shown);
  return {
    csv: withQuery(csvPath, csvQuery(inFile)),
    compare: withQuery(comparePath, {
      charts: `${pluginId}:${chartId}`,
      ...windowParameters(window),
    }),
    svg: picture('svg'),
    png: picture('png'),
  };
}
