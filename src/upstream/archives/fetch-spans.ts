/** Fetches the times of a plugin's charts from a server with `/api/v2`. */
import { v2PathOf } from '../../client/http.ts';
import { parseShape } from '../../json/parse-shape.ts';
import { unknownPlugin } from '../../model/app-error.ts';
import { parseReceived, type UpstreamServer } from '../connection/upstream-server.ts';
import { visitElements } from '../parse-software.ts';
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

function parseSpans(json: Uint8Array): ReadonlyMap<string, UpstreamSpan> {
  const { charts } = parseShape(pluginNowShape, { json, name: '' }) as { readonly charts: Uint8Array };
  const spans = new Map<string, UpstreamSpan>();
  const read = (element: Uint8Array, name: string) => {
    const { chartId, first, last } = parseShape(chartSpanShape, { json: element, name }) as {
      readonly chartId: string;
      readonly first: number | null;
      readonly last: number | null;
    };
    if (first !== null && last !== null) spans.set(chartId, { first, last });
  };
  visitElements(charts, read, 'charts');
  return spans;
}
