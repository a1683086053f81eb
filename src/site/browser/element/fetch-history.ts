/** Fetches the history of a chart of shares over a window, by a step that its drawing has room for. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { HistoryShare, HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import { countryName } from '../../../draw/shares/country-name.ts';
import { shownName } from '../../../draw/shares/slices.ts';
import { historyStep, timeStep } from '../../../draw/time-step.ts';
import { stepStart, steps, windowOver } from '../../../model/window.ts';
import { type KnownChart, listOf, memberOf } from './known-plugin.ts';
import type { WantedChart } from './line-data.ts';
import { getJson } from './shared-requests.ts';

/** A chart of shares on a server with `/api/v2`. */
export interface HistorySource {
  readonly server: string;
  /** `1337:os`, percent-encoded. */
  readonly name: string;
  readonly known: KnownChart;
}

/** The most shares that an answer may have; `Other` is the sum of the rest. */
const top = 100;

/** Fetches a history; of a drilldown pie that of the outer shares, or of the inner ones of `group`. Undefined where it has none. */
export async function fetchHistory(
  { server, name, known: { chart, span } }: HistorySource,
  { window, width }: WantedChart,
  group?: string,
): Promise<HistoryToDraw | undefined> {
  if (span === undefined) return undefined;
  const { from, to } = windowOver(window, span);
  const step = historyStep(to - from, width);
  const level = group === undefined ? '' : '&level=2';
  const url = `${server}api/v2/series?charts=${name}&step=${step}&top=${top}${level}`;
  // The mean of the last step is not what was counted last.
  const lastFrom = to > span.last ? span.last : Math.max(from, stepStart(to - 1, steps[step]));
  const [answer, latest] = await Promise.all([
    getJson(`${url}&from=${from}&to=${to}`),
    getJson(`${url}&from=${lastFrom}&to=${Math.min(to, span.last + 1)}&aggregate=last`),
  ]);
  const seriesOf = (of: unknown) =>
    listOf(memberOf(of, 'series')).filter(
      (series) => group === undefined || memberOf(series, 'group') === group,
    );
  const hasLatest = listOf(memberOf(latest, 'times')).length > 0;
  const latestByName = Map.groupBy(seriesOf(latest), nameOf);
  const shareOf = (series: unknown): HistoryShare => {
    const share = seriesShare(chart, series);
    return hasLatest ? { ...share, last: lastOf(latestByName.get(nameOf(series))?.[0]) } : share;
  };
  const times = Float64Array.from(listOf(memberOf(answer, 'times')), Number);
  const wanted = seriesOf(answer);
  const shares = wanted.filter((series) => !isOther(series)).map(shareOf);
  const other = wanted.find(isOther);
  return {
    title: chart.title,
    ...(chart.pluginName === undefined ? {} : { pluginName: chart.pluginName }),
    isDefault: chart.isDefault ?? false,
    from: Math.max(from, span.first),
    to: Math.min(to - 1, span.last),
    times,
    step: timeStep(step),
    shares,
    other: other === undefined ? undefined : { ...shareOf(other), shareCount: undefined },
  };
}

function isOther(series: unknown): boolean {
  return memberOf(series, 'isOther') === true;
}

/** The name of a share; undefined for the others. */
function nameOf(series: unknown): unknown {
  return isOther(series) ? undefined : memberOf(series, 'name');
}

function lastOf(series: unknown): number {
  const value = listOf(memberOf(series, 'values')).at(-1);
  return typeof value === 'number' ? value : 0;
}

function seriesShare({ form }: ChartToDraw, series: unknown): HistoryShare {
  const name = String(memberOf(series, 'name'));
  const values = Float64Array.from(listOf(memberOf(series, 'values')), (value) =>
    typeof value === 'number' ? value : 0,
  );
  const [first, last] = [wholeOf(values[0] ?? 0), wholeOf(values.at(-1) ?? 0)];
  return {
    name: form === 'map' ? countryName(name) : shownName(name),
    values,
    first,
    last,
  };
}

/** A mean of counts without decimals that say nothing. */
function wholeOf(mean: number): number {
  return Math.abs(mean) >= 10 ? Math.round(mean) : Math.round(mean * 10) / 10;
}
