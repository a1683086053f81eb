/** Draws shares over time: stacked areas or lines, with a legend of names and latest parts. */
import type { Period } from '../../model/window.ts';
import type { EventMarks } from '../events.ts';
import {
  endOf,
  formatExact,
  formatShare,
  formatShort,
  type NewestTime,
  rangeWords,
  timeWords,
} from '../format.ts';
import { drawLegendColumns, legendLines } from '../legend.ts';
import { drawAxes, drawGrid, plotBox, type TimeLayout } from '../line/line-layout.ts';
import { timeAxis } from '../line/time-axis.ts';
import { type AxisPlace, type PlacedAxis, valueAxis } from '../line/value-axis.ts';
import { drawPicture, type Note, type PictureOptions, placeHeading, sizesOf } from '../picture.ts';
import { shareFilter } from '../shares/slices.ts';
import { Paint } from '../theme.ts';
import { usualHistoryStep } from '../time-step.ts';
import {
  gatherHistory,
  type HistoryShare,
  type HistoryToDraw,
  type HistoryUnit,
  hideInHistory,
  historyWords,
  leaderPhrase,
  maxHistoryShares,
  sharesAt,
  totalOf,
} from './history-to-draw.ts';
import { drawAreas, stackHistory } from './stack.ts';

/** Options of the picture of a history. */
export interface HistoryOptions extends PictureOptions {
  readonly range: Period;
  readonly unit: HistoryUnit;
  /** True to draw each share as a line instead of an area. */
  readonly areLines?: boolean;
  /** True for a sum of lines, in which the leading share is not mentioned. */
  readonly isSum?: boolean;
  readonly marks?: EventMarks | undefined;
}

/** A history laid out in a picture. */
export interface HistoryLayout extends TimeLayout {
  /** The history, with small shares gathered so that each remaining share gets an area. */
  readonly history: HistoryToDraw;
}

/** Returns the sentence for a history without values above 0. */
export function nothingCounted(range: Period, end: NewestTime): string {
  return `Nothing was counted ${rangeWords(range, end)}.`;
}

/** Lays out a history; undefined if no value is above 0. */
export function layoutHistory(whole: HistoryToDraw, options: HistoryOptions): HistoryLayout | undefined {
  const { unit, range, areLines = false, marks } = options;
  const sizes = sizesOf(options);
  // Each share has its own colour. Hidden shares do not count among the others.
  const filter = shareFilter(highestOf(whole), options.isShown);
  const gathered = gatherHistory(hideInHistory(whole, filter.isShown), maxHistoryShares + 1);
  // Shares are ordered by their latest values in the whole history, so that hidden shares keep their places.
  const lasts = new Map(whole.shares.map(({ name, last }) => [name, last]));
  const lastOf = ({ name }: HistoryShare) => lasts.get(name) ?? 0;
  const byLatest = gathered.shares.toSorted((a, b) => lastOf(b) - lastOf(a));
  const filtered = options.isSum === true ? gathered : { ...gathered, shares: byLatest };
  const leader = leaderPhrase(whole);
  const title = (options.title ?? whole.title) + filter.note;
  const isUsual = usualHistoryStep(range, options.width).ms === whole.step.ms;
  const isSaid = options.isInCard === true && options.isSum !== true && isUsual;
  const mean = isSaid ? [] : [whole.step.mean];
  const phrases = sizes.isSmall ? [] : [[...mean, leader ?? []].flat().join(', '), ...mean].filter(Boolean);
  const heading = placeHeading({ title, notes: notesOf(filtered, options), phrases }, options);
  const legend = placeLegend(filtered, { options, top: heading.end });
  const { history } = legend;
  const stack = stackHistory(history, unit, areLines);
  if (!(stack.high > 0) || stack.runs.length === 0) return undefined;
  const { box, axes } = plotBox({
    options,
    top: heading.end + legend.height,
    rightMargin: legend.rightMargin,
    axesFor: (place) => [axisOf(stack.high, unit, place)],
  });
  const labelEnd = Math.min(options.width - sizes.padding, box.right + sizes.padding);
  const time = timeAxis(history.window, { ...box, labelEnd, textSize: sizes.text });
  const described = historyWords(filtered, { unit, range, nowMs: options.nowMs });
  const description = [described, marks?.words ?? '', leader ?? ''].filter(Boolean).join('; ');
  const draw = () => {
    const paint = new Paint(options.theme);
    const content = [
      heading.draw(paint),
      drawAxes({ box, time, axes, sizes }, paint),
      drawAreas(stack, {
        box,
        xAt: time.xAt,
        yAt: axes[0]?.yAt ?? (() => box.bottom),
        paint,
        entries: legend.entries,
        areLines,
      }),
      // The grid is drawn again faintly, because areas cover it.
      areLines ? '' : drawGrid({ box, axes }, `${paint.stroke('ground')} stroke-opacity=".3"`),
      marks?.draw({ box, xAt: time.xAt, options }, paint),
      legend.draw(paint),
    ].join('');
    return drawPicture({ title, description, content, paint }, options);
  };
  return { title, description, box, time, axes, history, draw };
}

/** Returns the highest value of each share, and of the others. */
function highestOf({
  shares,
  other,
}: HistoryToDraw): readonly { readonly name?: string; readonly value: number }[] {
  const highest = shares.map(({ name, values }) => ({ name, value: Math.max(...values) }));
  return other === undefined ? highest : [...highest, { value: Math.max(...other.values) }];
}

/** In narrower pictures, the legend is above the areas. */
const leastWidthBesideAreas = 480;

/** Maximum fraction of the width for a legend beside the areas. */
const maxShareOfWidth = 0.34;

/**
 * Minimum height of a legend row beside the areas, in text heights: a picture of the usual size then has room
 * for 12 shares and the others.
 */
const leastRowHeight = 1.35;

/**
 * Places the legend beside the areas or, in a narrow picture, above them, and reduces the history to the
 * shares that fit.
 */
function placeLegend(
  whole: HistoryToDraw,
  { options, top }: { readonly options: PictureOptions; readonly top: number },
) {
  const { padding, text: size, isSmall } = sizesOf(options);
  if (options.width < leastWidthBesideAreas) {
    const entriesFor = (count: number) => entriesOf(gatherHistory(whole, count), formatShort);
    const lines = legendLines(whole.shares.length + 1, entriesFor, { options, top });
    return { ...lines, history: gatherHistory(whole, lines.count), rightMargin: 0 };
  }
  const y = top + size * 0.5;
  const width = Math.round(options.width * maxShareOfWidth);
  const box = { x: options.width - padding - width, y, width, height: options.height - padding - y };
  const history = gatherHistory(whole, Math.max(1, Math.floor(box.height / (size * leastRowHeight))));
  const entries = entriesOf(history, isSmall ? formatShort : formatExact);
  const isGone = ({ part, isHidden }: (typeof entries)[number]) => part === 0 && !isHidden;
  const draw = (paint: Paint) => {
    const rows = [...entries.filter((entry) => !isGone(entry)), ...entries.filter(isGone)];
    const ruleAt = rows.findIndex(isGone);
    return drawLegendColumns(rows, { box, size, columnCount: 1, isAtTop: true, ruleAt }, paint);
  };
  return { history, entries, height: 0, rightMargin: width + size * 2, draw };
}

function entriesOf(history: HistoryToDraw, format: (value: number) => string) {
  const { shares, other } = history;
  const count = other?.shareCount;
  const others = {
    name: count === undefined ? 'Other' : `Other (${formatExact(count)})`,
    shortName: 'Other',
  };
  return sharesAt(history, 'last').map(({ value, part }, index) => {
    const { name, colour, isHidden = false } = shares[index] ?? { ...other, colour: undefined };
    return {
      ...(name === undefined ? others : { name }),
      key: 'square' as const,
      rank: index < shares.length ? index : undefined,
      colour,
      part,
      value: isHidden ? '–' : formatShare(part),
      count: isHidden ? '' : format(value),
      isHidden,
    };
  });
}

/** Makes the axis; percentages get percent signs. */
function axisOf(high: number, unit: HistoryUnit, place: AxisPlace): PlacedAxis {
  const axis = valueAxis(0, high, place);
  const ticks = unit === 'count' ? axis.ticks : axis.ticks.map(({ at, text }) => ({ at, text: `${text}%` }));
  return { ...axis, ticks, side: 'left', ink: 'muted' };
}

/**
 * Returns notes for below the title, in order of preference: first with the period, then without. A small
 * picture shows only the bold note, which has the latest total.
 */
function notesOf(history: HistoryToDraw, options: HistoryOptions): ReadonlyArray<readonly Note[]> {
  const { range, nowMs } = options;
  const total = totalOf(sharesAt(history, 'last').map(({ value }) => value));
  const { window, newest } = history;
  const bold: Note = { text: formatExact(total), ink: 'text', isBold: true };
  const latest = ` in total ${timeWords({ timestamp: newest, nowMs })}`;
  const short: readonly Note[] = [bold, { text: latest, ink: 'text' }];
  if (options.isInCard === true) return [short];
  const period: Note = { text: rangeWords(range, endOf(window, nowMs), newest), ink: 'muted' };
  return [[bold, { text: `${latest}    `, ink: 'text' }, period], short];
}
