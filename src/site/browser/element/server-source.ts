/** Source of series over `/api/v2` of a server. It works wherever JSON can be fetched. */

import type { ChartName } from '../../../model/catalogue.ts';
import type { ShareFacts } from '../../../model/chart-data.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import type { SeriesAnswer, SeriesSource, SourceChart } from '../../../model/series-source.ts';
import type { Span } from '../../../model/window.ts';
import { seriesPath } from '../../state/shown-window.ts';

/** Thrown if the server has no such plugin or chart; retrying would not help. */
export class NoSuchChart extends Error {}

/** The server does not understand a request. */
export class RefusedRequest extends Error {}

/** Members of `/api/v2/plugins/{id}` that a chart needs. */
export interface PluginAnswer {
  readonly name: string;
  readonly software: { readonly name: string };
  readonly isGlobal?: boolean;
  readonly charts: ReadonlyArray<{
    readonly chartId: string;
    readonly type: string;
    readonly title: string;
    readonly isDefault: boolean;
    readonly settings: unknown;
    readonly first?: number | null;
    readonly last?: number | null;
    readonly latest: unknown;
    readonly colours?: readonly string[];
    readonly mostUsed?: ShareFacts['mostUsed'];
  }>;
  readonly events?: readonly PluginEvent[];
}

/** Members of `/api/v2/series`: values over times that all series share. */
interface SeriesJson {
  readonly step: number | null;
  readonly times: readonly number[];
  readonly series: ReadonlyArray<{
    readonly name: string;
    readonly group?: string;
    readonly isOther?: true;
    readonly values: NumbersJson;
    /** Only for a line, with `&band=true`. */
    readonly lows?: NumbersJson;
    readonly highs?: NumbersJson;
  }>;
}

/** Null where a series has no value. */
type NumbersJson = ReadonlyArray<number | null>;

function columnOf(values: NumbersJson): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

/** A source that also finds charts, which come with their plugin. */
export interface ServerSource extends SeriesSource {
  /** Gets a chart. Rejects with NoSuchChart if it does not exist. */
  chart(name: ChartName): Promise<SourceChart & { readonly plugin: PluginAnswer }>;
  badge(name: ChartName): Promise<{ readonly message: string }>;
}

/** Gets JSON. Throws NoSuchChart for what is not there, RefusedRequest for a malformed query. */
export type GetJson = <Answer>(url: string) => Promise<Answer>;

/** Makes a source from a server, given its base URL before `/api/v2`. */
export function serverSource(server: string, getJson: GetJson): ServerSource {
  return {
    async chart({ pluginId, chartId }) {
      const plugin = await getJson<PluginAnswer>(`${server}/api/v2/plugins/${pluginId}`);
      const found = plugin.charts.find((chart) => chart.chartId === chartId);
      if (found === undefined) throw new NoSuchChart();
      return { ...found, pluginId, pluginName: plugin.name, span: spanOfChart(found), plugin };
    },
    badge: ({ pluginId, chartId }) => getJson(`${server}/badge/${pluginId}/${chartId}.json`),
    async series(query) {
      try {
        return await getSeries(query);
      } catch (error) {
        // A server before 0.4.0 does not know `band`.
        if (!query.hasBand || !(error instanceof RefusedRequest)) throw error;
        const [means, lows, highs] = await Promise.all(
          ([query.aggregate, 'min', 'max'] as const).map((aggregate) =>
            getSeries({ ...query, aggregate, hasBand: false }),
          ),
        );
        if (means === undefined) throw error;
        const series = means.series.map((one, index) => ({
          ...one,
          lows: lows?.series[index]?.values,
          highs: highs?.series[index]?.values,
        }));
        return { ...means, series };
      }
    },
  };

  async function getSeries({
    charts,
    window,
    step,
    aggregate,
    top,
    level,
    group,
    order,
    isSum,
    hasBand,
  }: Parameters<SeriesSource['series']>[0]): Promise<SeriesAnswer> {
    const choices = [
      seriesPath(charts.map(addressOf).join(), window),
      step && `step=${step}&aggregate=${aggregate}&top=${top}&level=${level}`,
      group && `group=${group}`,
      order && `order=${order}`,
      isSum && 'sum=true',
      hasBand && 'band=true',
    ];
    const path = choices.filter(Boolean).join('&');
    const answer = await getJson<SeriesJson>(server + path);
    return {
      step: answer.step,
      times: columnOf(answer.times),
      series: answer.series.map(({ group = null, values, lows, highs, ...one }) => ({
        ...one,
        group,
        values: columnOf(values),
        lows: lows && columnOf(lows),
        highs: highs && columnOf(highs),
      })),
    };
  }
}

/** Returns the name of a chart in URLs: `1337:players`, percent-encoded. */
export function addressOf({ pluginId, chartId }: ChartName): string {
  return `${pluginId}:${encodeURIComponent(chartId)}`;
}

/** Returns the times of the first and last value of a chart; undefined without values. */
export function spanOfChart({ first, last }: PluginAnswer['charts'][number]): Span | undefined {
  return first == null || last == null ? undefined : { first, last };
}
