/** Adds events to a picture of lines: their marks, and their words in the description. */
import type { EventColumns } from '../event-columns.ts';
import { drawEventMarks, eventWords } from '../event-marks.ts';
import type { LinesLayout } from './line-layout.ts';

/** The layout with marks of the events, which are drawn over the lines. */
export function withMarks(layout: LinesLayout, events: EventColumns | undefined): LinesLayout {
  if (events === undefined || events.count === 0) return layout;
  const { box, time, legend, description, options } = layout;
  return {
    ...layout,
    description: `${description}; ${eventWords(events)}`,
    legend: {
      entries: legend?.entries ?? [],
      draw: (paint) =>
        drawEventMarks(events, { box, xAt: time.xAt, options }, paint) + (legend?.draw(paint) ?? ''),
    },
  };
}
