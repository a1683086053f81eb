/** Loads the events of a plugin, as pictures show them. */
import { EventColumns } from '../../draw/events.ts';
import { columnCountFor } from '../../draw/line/line-columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';

/** A plugin, a range of time, and the width of the picture in pixels. */
interface EventsRequest {
  /** Both are included. */
  readonly from: number;
  readonly to: number;
  readonly pluginId: number;
  readonly width: number;
}

/** Loads events; rejects as the view does. */
export async function loadEvents(
  view: MetricsView,
  { pluginId, width, from, to }: EventsRequest,
): Promise<EventColumns> {
  const events = new EventColumns({ from, to, columnCount: columnCountFor(width) });
  for await (const batch of view.listEvents(pluginId)) events.add(batch);
  return events;
}
