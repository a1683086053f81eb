/** Charts of shares of one form that are added up by name, as one chart. */
import { joinPast } from '../../../draw/chart-content.ts';
import { joinColours } from '../../../draw/shares/share-colours.ts';
import type { ChartName } from '../../../model/catalogue.ts';
import { hasShares, renderShares, sharesIn, sumByName } from '../../../model/chart-forms.ts';
import { spanOver } from '../../../model/window.ts';
import { namesOfSum } from '../../state/chart-words.ts';
import type { FetchedChart } from './fetch.ts';
import { NoSuchChart } from './server-source.ts';

/** A chart of shares, or the sum of several: the charts whose series it has. */
export interface SharesChart extends FetchedChart {
  readonly charts: readonly ChartName[];
}

/** Adds up charts. @throws NoSuchChart for charts of several forms, or without shares */
export function addSharesCharts(charts: readonly FetchedChart[]): SharesChart {
  const [first] = charts;
  if (first === undefined) throw new NoSuchChart();
  const { type, chart } = first;
  const { form } = chart;
  if (!(hasShares(type) && charts.every((one) => one.chart.form === form))) throw new NoSuchChart();
  const { title } = namesOfSum(charts.map((one) => one.chart));
  const span = spanOver(charts.flatMap((one) => one.span ?? []));
  const shares = sumByName(charts.flatMap(({ chart: { data } }) => sharesIn(form, data)));
  return {
    ...first,
    charts,
    span,
    shared: spanOver(charts.flatMap((one) => one.shared ?? [])),
    events: [],
    chart: {
      form,
      title,
      data: JSON.parse(renderShares(type, shares)),
      timestamp: span?.last,
      past: joinPast(charts.map((one) => one.chart.past)),
      colours: joinColours(charts.map((one) => one.chart.colours ?? [])),
    },
  };
}
