/** Loads lines by step, to be added up. */
import type { ChartName } from '../model/chart.ts';
import type { Columns } from '../model/columns.ts';
import type { Aggregate, SeriesSource } from '../model/series-source.ts';
import type { DataWindow, StepName } from '../model/window.ts';
import { lineIn, ofLines } from './load-lines.ts';

/** The mean and the last value of each step, for several lines. */
export interface LinesToAdd {
  readonly means: readonly Columns[];
  readonly lasts: readonly Columns[];
}

/** Loads the steps of lines. Rejects as the source does. */
export async function loadLinesToAdd(
  source: SeriesSource,
  charts: readonly ChartName[],
  place: { readonly window: DataWindow; readonly step: StepName },
): Promise<LinesToAdd> {
  const load = async (aggregate: Aggregate) => {
    const answer = await source.series({ ...ofLines, ...place, charts, aggregate });
    return charts.map((_, index) => lineIn(answer, index));
  };
  const [means, lasts] = await Promise.all([load('mean'), load('last')]);
  return { means, lasts };
}
