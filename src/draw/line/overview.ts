/** The picture for a README: servers and players of a plugin, two lines under its name. */
import type { Period } from '../../model/window.ts';
import type { EventColumns } from '../event-columns.ts';
import { formatExact, formatShort } from '../format.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import { headingHeight, type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { type NewestTime, rangeWords, timeWords } from '../range.ts';
import { cutText, measureText, textElement } from '../svg.ts';
import type { Ink, Paint } from '../theme.ts';
import type { LinesLayout } from './line-layout.ts';
import type { LineShape } from './line-shape.ts';
import { meansPhrases, placeMeansWords } from './means-words.ts';
import { type AxisBounds, axisBounds, withCutWords } from './outliers.ts';
import { plotBox } from './plot-box.ts';
import { renderLines } from './render-lines.ts';
import { timeAxis } from './time-axis.ts';
import { type AxisPlace, hasZero, type PlacedAxis, valueAxis } from './value-axis.ts';
import { withMarks } from './with-marks.ts';

/** The two lines of a plugin. Either may be missing, or have no points. */
interface Overview {
  /** The name of the plugin. */
  readonly title: string;
  readonly servers: LineShape | undefined;
  readonly players: LineShape | undefined;
  readonly range: Period;
  /** Marks on the lines. */
  readonly events?: EventColumns | undefined;
}

/** Draws servers and players, or a sentence if neither has a point. */
export function drawOverview(overview: Overview, options: PictureOptions): string {
  const title = options.title ?? overview.title;
  const layout = layoutOverview(overview, options);
  return layout === undefined
    ? drawMessage(noPointsIn(overview.range), { ...options, title })
    : renderLines(layout);
}

/** Places the lines that have points; undefined if none has. */
export function layoutOverview(overview: Overview, options: PictureOptions): LinesLayout | undefined {
  const lines = linesOf(overview);
  const [first, second] = lines;
  if (first === undefined) return undefined;
  const title = options.title ?? overview.title;
  const sizes = sizesOf(options);
  const hasRow = sizes.isSmall && options.width < leastWidthBesideTitle;
  const nameRowHeight = hasRow ? sizes.text * rowHeight : 0;
  const means = lines.map(({ shape }) => meansPhrases(shape, true)).find(({ length }) => length > 0) ?? [];
  const hasTwoAxes = second !== undefined && !fitOneScale(first.bounds, second.bounds);
  const shared = axisBounds(lines.map(({ shape }) => ({ values: shape })));
  const phrases = withCutWords(means, hasTwoAxes ? [first.bounds, second.bounds] : [shared]);
  const timestamp = Math.max(...lines.map(({ shape }) => shape.latestTimestamp));
  const period = rangeWords(overview.range, { timestamp, nowMs: options.nowMs });
  const words = placeMeansWords({
    words: phrases,
    notes: hasRow ? [] : notesOf(lines, period, sizes.isSmall),
    options,
    top: headingHeight(options, true) + nameRowHeight,
  });
  const { box, axes } = plotBox({
    options,
    hasNotes: true,
    rowsHeight: nameRowHeight + words.rowHeight,
    axesFor: (place) =>
      hasTwoAxes
        ? twoAxes([first, second], place)
        : [{ ...valueAxis(shared.low, shared.high, place), side: 'left', ink: 'muted' }],
  });
  const from = Math.min(...lines.map(({ shape }) => shape.from));
  const to = Math.max(...lines.map(({ shape }) => shape.to));
  const time = timeAxis(from, to, { ...box, labelEnd: options.width - sizes.padding, textSize: sizes.text });
  const layout: LinesLayout = {
    options,
    sizes,
    title,
    description: [
      `${title}: ${lines.map((line) => wordsOf(line, options)).join('; ')} (${period})`,
      ...phrases.slice(0, 1),
    ].join('; '),
    notes: words.notes,
    legend: {
      entries: [],
      draw: (paint) => (hasRow ? drawNameRow(lines, options, paint) : '') + words.drawRow(paint),
    },
    box,
    time,
    axes,
    lines: lines.map(({ name, shape, ink }, index) => {
      const yAt = (axes[index] ?? axes[0])?.yAt ?? (() => box.bottom);
      // Areas on two scales cannot be compared.
      return { name, shape, ink, hasArea: axes.length === 1 && axes.every(hasZero), yAt };
    }),
  };
  return withMarks(layout, overview.events);
}

interface OverviewLine {
  readonly name: string;
  readonly shape: LineShape;
  readonly ink: Ink;
  /** Those of an axis of its own. */
  readonly bounds: AxisBounds;
}

function linesOf({ servers, players }: Overview): OverviewLine[] {
  const lines: OverviewLine[] = [];
  if (servers !== undefined && servers.pointCount > 0) {
    lines.push(lineOf('servers', servers, 'series0'));
  }
  if (players !== undefined && players.pointCount > 0) {
    lines.push(lineOf('players', players, 'series1'));
  }
  return lines;
}

function lineOf(name: string, shape: LineShape, ink: Ink): OverviewLine {
  return { name, shape, ink, bounds: axisBounds([{ values: shape }]) };
}

/** True if the lower line still reaches 15% of the height on a shared scale, or is at zero. */
function fitOneScale(a: OverviewLine['bounds'], b: OverviewLine['bounds']): boolean {
  if (Math.min(a.low, b.low) < 0) return false;
  const lower = Math.min(a.high, b.high);
  return lower === 0 || lower > leastShareOfHeight * Math.max(a.high, b.high);
}

const leastShareOfHeight = 0.15;

/** Makes an axis for each line, in its colour, on one grid. */
function twoAxes([first, second]: readonly [OverviewLine, OverviewLine], place: AxisPlace): PlacedAxis[] {
  const stepCount = Math.min(4, Math.max(2, Math.floor((place.bottom - place.top) / (place.textSize * 4))));
  const axisOf = ({ bounds, ink }: OverviewLine, side: 'left' | 'right') => ({
    ...valueAxis(bounds.low, bounds.high, { ...place, stepCount }),
    side,
    ink,
  });
  return [axisOf(first, 'left'), axisOf(second, 'right')];
}

/**
 * Notes with the latest values. A small picture shows bold notes alone, so the nouns are bold there: colours alone do not say
 * which line is which.
 */
function notesOf(lines: readonly OverviewLine[], period: string, isSmall: boolean): Note[] {
  if (isSmall) {
    return lines.map((line) => ({ text: latestText(line, formatExact), ink: line.ink, isBold: true }));
  }
  const notes = lines.flatMap(({ name, shape, ink }): Note[] => [
    { text: formatExact(shape.latestValue), ink, isBold: true },
    { text: ` ${nounOf(name, shape)}    `, ink: 'text' },
  ]);
  return [...notes, { text: period, ink: 'muted' }];
}

/** In narrower pictures the values go in a row below the title. */
const leastWidthBesideTitle = 450;

/** The height of that row, in heights of its text. */
const rowHeight = 1.4;

/** Draws the latest values with their nouns, in few characters if the exact ones do not fit. */
function drawNameRow(lines: readonly OverviewLine[], options: PictureOptions, paint: Paint): string {
  const { padding, text: size } = sizesOf(options);
  const y = headingHeight(options, true) + size * rowHeight * 0.6;
  const widthOf = (text: string) => measureText(text, size, true) + size;
  const exact = lines.map((line) => latestText(line, formatExact));
  const isTooWide = exact.reduce((sum, text) => sum + widthOf(text), 0) > options.width - padding;
  const texts = isTooWide ? lines.map((line) => latestText(line, formatShort)) : exact;
  let x = padding;
  return texts
    .map((text, index) => {
      const attributes = paint.fill(lines[index]?.ink ?? 'text');
      const shown = cutText(text, options.width - padding - x, { size, isBold: true });
      const element = textElement(shown, { x, y, size, isBold: true, attributes });
      x += widthOf(text);
      return element;
    })
    .join('');
}

function latestText({ name, shape }: OverviewLine, format: (value: number) => string): string {
  return `${format(shape.latestValue)} ${nounOf(name, shape)}`;
}

function wordsOf({ name, shape }: OverviewLine, { nowMs }: Pick<NewestTime, 'nowMs'>): string {
  const { low, high, latestValue, latestTimestamp: timestamp } = shape;
  const between = low === high ? '' : `, between ${formatExact(low)} and ${formatExact(high)}`;
  return `${formatExact(latestValue)} ${nounOf(name, shape)} ${timeWords({ timestamp, nowMs })}${between}`;
}

function nounOf(name: string, { latestValue }: LineShape): string {
  return latestValue === 1 ? name.slice(0, -1) : name;
}
