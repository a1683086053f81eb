/** The events of a plugin. */
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { DataWindow } from '../../model/window.ts';
import {
  apiEndpoint,
  malformed,
  parseQuery,
  pluginIn,
  renderBatches,
  timeParameter,
} from '../api-endpoint.ts';

const parameters = {
  from: timeParameter(undefined, 'The beginning of the window, inclusive.'),
  to: timeParameter(undefined, 'The end of the window, exclusive.'),
};

/** Endpoint of the events of a plugin. */
export const pluginEvents = apiEndpoint({
  path: '/api/v2/plugins/{pluginId}/events',
  operationId: 'listEvents',
  summary: 'The events of a plugin',
  description: 'By time, then title bytewise.',
  parameters,
  schema: 'EventList',
  source: 'data',
  size: 'small',
  parse(request) {
    const { from, to } = parseQuery(request.searchParams, parameters);
    if (from !== undefined && to !== undefined && from >= to) throw malformed('from must be before to');
    return { ...pluginIn(request), from, to };
  },
  async *render(view, { pluginId, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }) {
    await view.getPlugin(pluginId);
    yield* renderBatches(eventsWithin(view.listEvents(pluginId), { from, to }), {
      before: '[',
      render: ({ time: at, title, url }) => JSON.stringify({ time: at, title, url }),
      after: ']',
    });
  },
});

async function* eventsWithin(
  batches: AsyncIterable<readonly PluginEvent[]>,
  { from, to }: DataWindow,
): AsyncGenerator<readonly PluginEvent[]> {
  for await (const batch of batches) yield batch.filter((event) => event.time >= from && event.time < to);
}
