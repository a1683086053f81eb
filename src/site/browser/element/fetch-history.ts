/** Fetches the history of a chart of shares over a window, by a step that its drawing has room for. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { HistoryShare, HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import { columnCountFor } from '../../../draw/line/line-columns.ts';
import { countryName } from '../../../draw/shares/country-name.ts';
import { shownName } from '../../../draw/shares/parse-shares.ts';
import { sumOf } from '../../../draw/shares/share.ts';
import { stepFor } from '../../../draw/time-step.ts';
import { windowEnds } from '../../state/shown-window.ts';
import { getJson, type KnownChart, listOf, memberOf } from './known-plugin.ts';
import type { WantedChart } from './line-data.ts';

/** A chart of shares on a server with `/api/v2`. */
export interface HistorySource {
  readonly server: string;
  /** `1337:os`, percent-encoded. */
  readonly name: string;
  readonly known: KnownChart;
}

/** The steps of `/api/v2/series` by their lengths, the shortest first. */
const steps = [
  ['30m', 30],
  ['1h', 60],
  ['6h', 360],
  ['1d', 1440],
  ['7d', 10_080],
] as const;

const minuteMs = 60_000;

/** The most shares that an answer may have; `Other` is the sum of the rest. */
const top = 100;

/** Fetches a history; of a drilldown pie that of the outer shares, or of the inner ones of `group`. Undefined where it has none. */
export async function fetchHistory(
  { server, name, known: { chart, span } }: HistorySource,
  { window, width }: WantedChart,
  group?: string,
): Promise<HistoryToDraw | undefined> {
  if (span === undefined) return undefined;
  const { from, to } = windowEnds(window, span);
  const leastMs = (to - from) / columnCountFor(width);
  const [step, minutes] = steps.find(([, each]) => each * minuteMs >= leastMs) ?? ['7d', 10_080];
  const level = group === undefined ? '' : '&level=2';
  const url = `${server}api/v2/series?charts=${name}&from=${from}&to=${to}&step=${step}&top=${top}${level}`;
  const answer = await getJson(url);
  const times = Float64Array.from(listOf(memberOf(answer, 'times')), Number);
  const wanted = listOf(memberOf(answer, 'series')).filter(
    (series) => group === undefined || memberOf(series, 'group') === group,
  );
  const isOther = (series: unknown) => memberOf(series, 'isOther') === true;
  const shares = wanted.filter((series) => !isOther(series)).map((series) => shareOf(chart, series));
  const other = wanted.find(isOther);
  return {
    title: chart.title,
    ...(chart.pluginName === undefined ? {} : { pluginName: chart.pluginName }),
    isDefault: chart.isDefault ?? false,
    from: Math.max(from, span.first),
    to: Math.min(to - 1, span.last),
    times,
    step: stepFor(1, { maxCount: 1, leastMs: minutes * minuteMs }),
    shares: shares.toSorted((a, b) => sumOf([...b.values]) - sumOf([...a.values])),
    other: other === undefined ? undefined : { ...shareOf(chart, other), shareCount: 1 },
  };
}

function shareOf({ form }: ChartToDraw, series: unknown): HistoryShare {
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
