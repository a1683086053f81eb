/** Points and histories over a window, as JSON and as CSV. */
import type { Part } from '../../http/endpoint.ts';
import { JsonParts } from '../../series/json-parts.ts';
import { loadSeries, type SeriesAnswer } from '../../series/load-series.ts';
import type { Series } from '../../series/merge-series.ts';
import { renderSeriesCsv } from '../../series/series-csv.ts';
import { type ApiEndpoint, jsonMediaType } from '../api-endpoint.ts';
import { parseSeriesQuery, seriesParameters } from './series-query.ts';

const description =
  'Points of lines and histories of shares between two times, as they are stored or by step. The times ascend; with a step they are ' +
  'the beginnings of those that have a value. A line has null where it has no value, a share has 0 where its chart has others.';

/** The endpoint for JSON. */
export const series: ApiEndpoint = seriesEndpoint({
  path: '/api/v2/series',
  operationId: 'readSeries',
  summary: 'Series of up to 50 charts over a window',
  schema: 'Series',
  render: renderJson,
  // A digit and a comma for each value.
  minBytes: ({ times, series }) => times.length * (`${times[0] ?? 0},`.length + 2 * series.length),
});

/** The endpoint for CSV. */
export const seriesCsv: ApiEndpoint = seriesEndpoint({
  path: '/api/v2/series.csv',
  operationId: 'readSeriesCsv',
  summary: 'The same as CSV: a column of times, and one for each series',
  schema: 'CsvText',
  mediaType: 'text/csv',
  render: (answer) => renderSeriesCsv(answer, columnName),
  // A row has its time, and a comma for each value that may be missing.
  minBytes: ({ times, series }) => times.length * (`${new Date(0).toISOString()}\r\n`.length + series.length),
});

function seriesEndpoint({
  render,
  minBytes,
  ...about
}: Pick<ApiEndpoint, 'path' | 'operationId' | 'summary' | 'schema' | 'mediaType'> & {
  readonly render: (answer: SeriesAnswer) => Iterable<Part>;
  /** The fewest bytes that an answer can have. */
  readonly minBytes: (answer: SeriesAnswer) => number;
}): ApiEndpoint {
  return {
    ...about,
    description,
    parameters: seriesParameters,
    problems: ['malformed-query', 'unknown-plugin', 'unknown-chart'],
    ask: (request) => {
      const query = parseSeriesQuery(request.searchParams);
      return {
        key: `${about.path}?${JSON.stringify(query)}`,
        // RFC 4180 3: the first row names the columns.
        mediaType:
          about.mediaType === undefined ? jsonMediaType : `${about.mediaType}; charset=utf-8; header=present`,
        source: 'data',
        size: 'large',
        parts: (reader, forecast) =>
          reader.snapshot(async function* (view): AsyncGenerator<Part> {
            for await (const answer of loadSeries(view, query)) {
              if (answer === undefined) yield '';
              else {
                forecast.minBytes = minBytes(answer);
                yield* render(answer);
              }
            }
          }),
      };
    },
  };
}

function* renderJson({ window, times, series }: SeriesAnswer): Generator<Part> {
  const { from, to, step, aggregate } = window;
  const json = new JsonParts();
  json.text(
    `{"from":${from},"to":${to},"step":${step},"aggregate":${step === null ? null : JSON.stringify(aggregate)},"times":`,
  );
  yield* json.numbers(times);
  json.text(',"series":[');
  for (const [index, one] of series.entries()) {
    json.text(`${index === 0 ? '' : ','}${JSON.stringify(membersOf(one)).slice(0, -1)},"values":`);
    yield* json.numbers(one.values);
    json.text('}');
  }
  json.text(']}');
  yield json.take();
}

function membersOf({ chart, group, name, mark }: Series): object {
  return {
    ...chart,
    ...(group === undefined ? {} : { group }),
    name,
    ...(mark === undefined ? {} : { [mark]: true }),
  };
}

/** The name of a column: `1337:players` for a line, `1337:os Windows 11` for a share. */
function columnName({ chart, group, name, mark }: Series): string {
  if (chart === undefined) return name;
  const chartName = `${chart.pluginId}:${chart.chartId}`;
  const isShare = mark === 'isOther' || group !== undefined;
  return isShare
    ? [chartName, group, name].filter((part) => part !== undefined).join(' ')
    : `${chartName} ${name}`;
}
