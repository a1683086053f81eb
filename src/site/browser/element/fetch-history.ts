/** Fetches the history of a chart of shares over a window, by a step that its drawing has room for. */
import { historyOfSeries, historyQuery, type SharesOverTime } from '../../../draw/history/history-series.ts';
import type { HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import { seriesPath } from '../../state/shown-window.ts';
import { type KnownChart, listOf, memberOf } from './known-plugin.ts';
import type { WantedLine } from './line-data.ts';
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
  { window: period, width }: WantedLine,
  group?: string,
): Promise<HistoryToDraw | undefined> {
  if (span === undefined) return undefined;
  const query = historyQuery(period, span, width);
  const { window, step, latest: latestWindow } = query;
  const level = group === undefined ? '' : '&level=2';
  const sharesOver = async (over: typeof window, aggregate: string) =>
    sharesIn(
      await getJson(
        `${server.slice(0, -1)}${seriesPath(name, over)}&step=${step}&aggregate=${aggregate}&top=${top}${level}`,
      ),
      group,
    );
  const [means, latest] = await Promise.all([sharesOver(window, 'mean'), sharesOver(latestWindow, 'last')]);
  return historyOfSeries(chart, query, { means, latest });
}

/** The series of an answer: of outer shares, or of the inner ones of a group. */
function sharesIn(answer: unknown, group: string | undefined): SharesOverTime {
  return {
    times: numbersOf(memberOf(answer, 'times')),
    series: listOf(memberOf(answer, 'series'))
      .filter((series) => memberOf(series, 'group') === group)
      .map((series) => ({
        name: String(memberOf(series, 'name')),
        values: numbersOf(memberOf(series, 'values')),
        isOther: memberOf(series, 'isOther') === true,
      })),
  };
}

function numbersOf(list: unknown): Float64Array {
  return Float64Array.from(listOf(list), (value) => (typeof value === 'number' ? value : 0));
}
