/** Shares over time: stacked areas, with a legend of their names and latest parts. */
import { drawEventMarks } from '../event-marks.ts';
import { formatExact } from '../format.ts';
import type { LinesLayout } from '../line/line-layout.ts';
import { plotBox } from '../line/plot-box.ts';
import { drawAxes } from '../line/render-lines.ts';
import { timeAxis } from '../line/time-axis.ts';
import { type AxisPlace, type PlacedAxis, valueAxis } from '../line/value-axis.ts';
import { drawMessage } from '../message.ts';
import { drawHeading, drawPicture, type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { type Range, rangeWords } from '../range.ts';
import { coordinate } from '../svg.ts';
import { Paint } from '../theme.ts';
import { drawAreas } from './areas.ts';
import { placeLegend } from './history-legend.ts';
import type { HistoryToDraw, HistoryUnit } from './history-to-draw.ts';
import { historyWords, sharesAt, totalOf } from './history-words.ts';
import { stackHistory } from './stack.ts';

/** Options of the picture of a history. */
export interface HistoryOptions extends PictureOptions {
  readonly range: Range;
  readonly unit: HistoryUnit;
}

/** Draws the history of a chart, or a sentence if nothing in it is above 0. */
export function drawHistory(whole: HistoryToDraw, options: HistoryOptions): string {
  const { unit, range } = options;
  const sizes = sizesOf(options);
  const title = options.title ?? whole.title;
  const legend = placeLegend(whole, options);
  const { history } = legend;
  const stack = stackHistory(history, unit);
  if (!(stack.high > 0) || stack.runs.length === 0)
    return drawMessage(`Nothing was counted ${rangeWords(range)}.`, { ...options, title });
  const { box, axes } = plotBox({
    options,
    hasNotes: true,
    ...legend.margins,
    axesFor: (place) => [axisOf(stack.high, unit, place)],
  });
  const labelEnd = Math.min(options.width - 4, box.right + sizes.padding);
  const time = timeAxis(history.from, history.to, { ...box, labelEnd, textSize: sizes.text });
  const paint = new Paint(options.theme);
  const content = [
    drawHeading(title, notesOf(history, options), { options, paint }),
    drawAxes({ box, time, axes, sizes }, paint),
    drawAreas(stack, {
      box,
      xAt: time.xAt,
      yAt: axes[0]?.yAt ?? (() => box.bottom),
      paint,
      titles: legend.rows.map(({ name, share }) => `${name} ${share}`),
      hasOther: history.other !== undefined,
    }),
    drawRules({ box, axes }, paint),
    history.events === undefined ? '' : drawEventMarks(history.events, { box, xAt: time.xAt }, paint),
    legend.draw(paint),
  ].join('');
  const description = historyWords(history, { unit, range });
  return drawPicture({ title, description, content, paint }, options);
}

/** The axis, with percent signs where it has parts of the whole. */
function axisOf(high: number, unit: HistoryUnit, place: AxisPlace): PlacedAxis {
  const axis = valueAxis(0, high, place);
  const ticks = unit === 'count' ? axis.ticks : axis.ticks.map(({ at, text }) => ({ at, text: `${text}%` }));
  return { ...axis, ticks, side: 'left', ink: 'muted' };
}

/** Notes below the title. A small picture shows the bold one alone, which names the latest total. */
function notesOf(history: HistoryToDraw, { range }: HistoryOptions): Note[] {
  const total = totalOf(sharesAt(history, 'last').map(({ value }) => value));
  const mean = history.step === undefined ? '' : `, ${history.step.mean}`;
  return [
    { text: formatExact(total), ink: 'text', isBold: true },
    { text: ' in total now    ', ink: 'text' },
    { text: `${rangeWords(range)}${mean}`, ink: 'muted' },
  ];
}

/** Draws the rules of the axis once more, faint, because areas cover those of the grid. */
function drawRules({ box, axes }: Pick<LinesLayout, 'box' | 'axes'>, paint: Paint): string {
  const rules = axes.flatMap(({ ticks }) =>
    ticks
      .filter(({ at }) => at > box.top + 1 && at < box.bottom - 1)
      .map(({ at }) => `M${coordinate(box.left)} ${coordinate(at)}H${coordinate(box.right)}`),
  );
  return rules.length === 0
    ? ''
    : `<path d="${rules.join('')}"${paint.stroke('ground')} stroke-opacity=".3"/>`;
}
