/** A line in the page: its drawing, its values point by point, and its events. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import { formatDateTime, formatDay, formatExact } from '../../../draw/format.ts';
import { layoutLine, lineInWords } from '../../../draw/line/line.ts';
import { noPointsIn, sentences } from '../../../draw/message.ts';
import { chartSubject } from '../../../draw/subject.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { dayMs } from '../../../model/window.ts';
import { type Drawing, type DrawingPlace, inPage, type LoadedChart, type WantedChart } from './drawing.ts';
import { hasLineWindow, readLine } from './fetch-line.ts';
import type { LineData, LineReading } from './line-data.ts';
import type { TipWords } from './tip.ts';

/** The events of a plugin, and their marks; without any, the marks are not loaded. */
export interface MarkedEvents {
  readonly events: readonly PluginEvent[];
  readonly eventLinks: typeof import('./event-links.ts') | undefined;
}

/** A chart with a line. */
export function lineChart(
  chart: ChartToDraw,
  { line, ...marked }: MarkedEvents & { readonly line: LineData },
): Omit<LoadedChart, 'lengthMs'> {
  return {
    form: chart.form,
    title: chart.title,
    hasAll: (wanted) => hasLineWindow(line, wanted),
    draw: (wanted, place) =>
      drawLine({ ...chart, title: place.title }, readLine(line, { ...wanted, ...place }), {
        ...marked,
        ...place,
        range: wanted.window,
      }),
  };
}

function drawLine(
  chart: ChartToDraw,
  reading: LineReading,
  {
    range,
    width,
    height,
    events,
    eventLinks,
  }: MarkedEvents & DrawingPlace & { readonly range: WantedChart['window'] },
): Drawing {
  const { shape } = reading;
  if (shape.pointCount === 0 && typeof range !== 'string')
    return { description: '', sentence: noPointsIn(range) };
  if (shape.pointCount === 0)
    return { description: `${chartSubject(chart)}: ${sentences.none}`, sentence: sentences.none };
  const nowMs = Date.now();
  const marks = eventLinks?.marksOf(events, { from: shape.from, to: shape.to, width });
  const layout = layoutLine(
    { title: chart.title, subject: chartSubject(chart), shape, range, events: marks?.columns },
    { width, height, nowMs, ...inPage },
  );
  const { points, band } = reading;
  return {
    description: `${chartSubject(chart)}: ${lineInWords(shape, { range, nowMs })}`,
    label: layout.description,
    svg: layout.draw(),
    readable: {
      layout,
      times: points.timestamps,
      stepMs: band?.step.ms ?? 0,
      yAt: (index) => layout.lines[0]?.yAt(points.values[index] ?? 0),
      wordsAt: (index) => wordsAt(reading, chart.settings, index),
    },
    connect: (_, actions) => marks?.linksOn(layout, actions),
    tableOf: ({ lineTable }) => lineTable(chart.title, { ...reading, events }),
  };
}

/** A point in words: its value and its time; of a step its mean, its day or days, its lowest and its highest value. */
function wordsAt({ points, band }: LineReading, settings: unknown, index: number): TipWords {
  const timestamp = points.timestamps[index] ?? 0;
  const value = points.values[index] ?? 0;
  // The decimals of a mean of hundreds say nothing.
  const strong = valueWords(
    band !== undefined && Math.abs(value) >= 100 ? Math.round(value) : value,
    settings,
  );
  if (band === undefined) return { strong, rest: [formatDateTime(timestamp)] };
  const { step, lows, highs } = band;
  const last = timestamp + step.ms - 1;
  const days = formatDay(timestamp) + (step.ms > dayMs ? ` to ${formatDay(last)}` : '');
  const between = `${formatExact(lows[index] ?? 0)} to ${formatExact(highs[index] ?? 0)}`;
  return { strong, rest: [days, `${step.mean}, ${between}`] };
}

/** A value with its unit, if the settings of the chart have one: 3,883 players. */
function valueWords(value: number, settings: unknown): string {
  const unit = unitOf(settings);
  return `${formatExact(value)}${unit === '' ? '' : ` ${unit}`}`;
}

/** The name of the line as a unit; '' for an identifier, and for a name that is too long to hear each time. */
function unitOf(settings: unknown): string {
  if (typeof settings !== 'object' || settings === null || !('lineName' in settings)) return '';
  const { lineName } = settings;
  const isWords = typeof lineName === 'string' && /^\p{L}[\p{L} ]{0,29}$/u.test(lineName);
  return isWords ? lineName.toLowerCase() : '';
}
