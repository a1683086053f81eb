/** Fetches the times of a plugin's charts from a server with `/api/v2`. */
import { v2PathOf } from '../../client/http.ts';
import { checkShape } from '../../json/check-shape.ts';
import { parseJson } from '../../json/parse-json.ts';
import { unknownPlugin } from '../../model/app-error.ts';
import { parseReceived, type UpstreamServer } from '../connection/upstream-server.ts';
import { arrayIn } from '../parse-software.ts';
import { chartSpanShape, pluginNowShape } from '../upstream-shapes.ts';

/** The first and the last time of the points or the history of a chart. */
export interface UpstreamSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * Fetches the times of charts by chart id, without charts that have none.
 * @throws AppError as `UpstreamServer.get`, `not_found` for an unknown plugin, and `invalid` for an answer that breaks a rule.
 */
export async function fetchSpans(
  server: UpstreamServer,
  pluginId: number,
): Promise<ReadonlyMap<string, UpstreamSpan>> {
  const body = await server.get({ path: v2PathOf('plugins', pluginId) });
  if (body.json.length === 0) throw unknownPlugin(pluginId).at(body.url);
  return parseReceived(body, parseSpans);
}

function parseSpans(json: string): ReadonlyMap<string, UpstreamSpan> {
  const plugin = parseJson(json);
  checkShape(pluginNowShape, plugin, '');
  const { charts } = plugin as { readonly charts: unknown };
  const spans = new Map<string, UpstreamSpan>();
  for (const [index, chart] of arrayIn(charts, 'charts').entries()) {
    checkShape(chartSpanShape, chart, `charts[${index}]`);
    const { chartId, first, last } = chart as {
      readonly chartId: string;
      readonly first: number | null;
      readonly last: number | null;
    };
    if (first !== null && last !== null) spans.set(chartId, { first, last });
  }
  return spans;
}
