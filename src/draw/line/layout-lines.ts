/** Lays out a picture of lines: of one, of servers and players, or of several that are compared. */
import { clamp } from '../clamp.ts';
import type { EventMarks } from '../events.ts';
import { formatExact } from '../format.ts';
import { drawPicture, type Note, type PictureOptions, placeHeading, sizesOf } from '../picture.ts';
import type { PlotBox } from '../plot-box.ts';
import { type Ink, Paint } from '../theme.ts';
import { drawAxes, type LinesLayout, plotBox } from './line-layout.ts';
import { type LineDrawing, type LineLook, type LineShape, windowAround } from './line-shape.ts';
import { timeAxis } from './time-axis.ts';
import {
  type AxisPlace,
  axisOnGrid,
  domainOf,
  flatShare,
  hasZero,
  leastSize,
  logAxis,
  type PlacedAxis,
  valueAxis,
} from './value-axis.ts';

/** A line that has points. */
export interface LineToPlace {
  readonly name: string;
  readonly shape: LineShape;
  readonly ink: Ink;
  /** From its values to those of the axis; 1 unless given. */
  readonly factor?: number;
}

/** A legend before the lines are placed. */
export interface LineLegend {
  /** The room that it takes above the lines, and right of them. */
  readonly height: number;
  readonly rightMargin: number;
  /** Draws it, where the lines end at these y coordinates. */
  readonly draw: (paint: Paint, endYs: readonly number[], box: PlotBox) => string;
}

/** A picture of lines. */
interface LinesPicture {
  readonly title: string;
  /** At least one. */
  readonly lines: readonly LineToPlace[];
  /** The content of the lines in words. */
  readonly description: string;
  /** Notes below the title, and a row below them: of each the first choice that has room. */
  readonly notes: ReadonlyArray<readonly Note[]>;
  readonly row?: ReadonlyArray<readonly Note[]> | undefined;
  /** Makes the legend below the heading, which ends at `top`; undefined if the notes have the names. */
  readonly legendBelow?: (top: number) => LineLegend;
  /** True if two lines have an axis each where one of them would be flat. */
  readonly mayHaveTwoAxes?: boolean;
  /** True for a logarithmic axis, which is linear without a value above zero. */
  readonly isLog?: boolean;
  readonly marks?: EventMarks | undefined;
}

/** Bands of more lines would hide each other; then the lines are their means alone. */
const maxBandCount = 2;

/** Places lines. */
export function layoutLines(picture: LinesPicture, options: PictureOptions): LinesLayout {
  const { title, notes, row, legendBelow, isLog = false, marks } = picture;
  const sizes = sizesOf(options);
  const { padding, text: textSize } = sizes;
  const hasBands = picture.lines.length <= maxBandCount;
  const lines = picture.lines.map(({ factor = 1, ...line }) => ({
    ...line,
    values: hasBands ? line.shape : (line.shape.means ?? line.shape),
    ...(factor !== 1 && { scaled: (value: number) => clamp(value * factor) }),
  }));
  const each = lines.map((line) => axisBounds(withPrevious(line)));
  const shared = axisBounds(lines.flatMap(withPrevious), isLog);
  const hasTwoAxes =
    picture.mayHaveTwoAxes === true && each.length === 2 && each.some((one) => isFlatOn(shared, one));
  const bounds = hasTwoAxes ? each : [shared];
  const hasPast = lines.some(({ shape }) => shape.previous !== undefined);
  const phrases = withWords(meansPhrases(lines, hasBands), [
    ...cutWords(bounds),
    ...(isLog ? [] : zeroWords(bounds)),
    ...(hasPast ? ['pale: the previous period'] : []),
  ]);
  const heading = placeHeading({ title, notes, row, phrases }, options);
  const legend = legendBelow?.(heading.end);
  const { box, axes } = plotBox({
    options,
    top: heading.end + (legend?.height ?? 0),
    rightMargin: legend?.rightMargin ?? 0,
    axesFor: (place) =>
      axesOf(bounds, { ...place, isLog, isDense: legend !== undefined, inks: lines.map(({ ink }) => ink) }),
  });
  const placed = lines.map(({ name, shape, ink, scaled }, index) => {
    const axis = axes[index] ?? axes[0];
    const yAt = axis?.yAt ?? (() => box.bottom);
    return {
      name,
      shape,
      ink,
      // Areas on two scales cannot be compared, and those of several lines hide each other.
      hasArea: legend === undefined && !hasTwoAxes && axis !== undefined && hasZero(axis),
      hasBand: hasBands,
      isLabelled: legend !== undefined,
      yAt: scaled === undefined ? yAt : (value: number) => yAt(scaled(value)),
    };
  });
  const endYs = placed.map(({ shape, yAt }) => yAt(shape.endValue));
  const time = timeAxis(windowAround(lines.map(({ shape }) => shape)), {
    ...box,
    labelEnd: options.width - padding,
    textSize,
  });
  const description = [picture.description, ...phrases.slice(0, 1), marks?.words ?? '']
    .filter(Boolean)
    .join('; ');
  const draw = () => {
    const paint = new Paint(options.theme);
    const drawing = { xAt: time.xAt, width: sizes.isSmall ? 1.5 : 1.75, paint };
    const content = [
      heading.draw(paint),
      drawAxes({ box, time, axes, sizes }, paint),
      ...placed.map((line) => drawPrevious(line, drawing) + line.shape.draw(line, drawing)),
      marks?.draw({ box, xAt: time.xAt, options }, paint),
      legend?.draw(paint, endYs, box),
    ].join('');
    return drawPicture({ title, description, content, paint }, options);
  };
  return { title, description, box, time, axes, lines: placed, draw };
}

/** Says how lines of means are drawn, in one way or, if that has no room, in a shorter one. */
function meansPhrases(lines: readonly LineToPlace[], hasBands: boolean): readonly string[] {
  const shape = lines.find((line) => line.shape.means !== undefined)?.shape;
  if (shape?.means === undefined) return [];
  const { mean } = shape.means.step;
  return hasBands && shape.low !== shape.high
    ? [`${mean}, band from lowest to highest`, `${mean}, lowest to highest`]
    : [mean];
}

/** True if a line on this axis lies near zero and hardly moves. A line of zeros may. */
function isFlatOn(axis: AxisBounds, { low, high }: AxisBounds): boolean {
  const [from, to] = domainOf(axis.low, axis.high);
  const height = to - from;
  const farthest = Math.max(-low, high);
  return farthest > 0 && farthest <= nearZeroShare * height && high - low < flatShare * height;
}

const nearZeroShare = 0.15;

/** Makes one axis or, each in the ink of its line, two on one grid. */
function axesOf(
  [first = { low: 0, high: 1 }, second]: ReadonlyArray<{ readonly low: number; readonly high: number }>,
  { isLog, inks, ...place }: AxisPlace & { readonly isLog: boolean; readonly inks: readonly Ink[] },
): PlacedAxis[] {
  const { low, high } = first;
  const axis =
    isLog && high >= leastSize
      ? logAxis(low, high, place)
      : valueAxis(low, high, { ...place, hasTickEnds: second !== undefined });
  if (second === undefined) return [{ ...axis, side: 'left', ink: 'muted' }];
  const [left = 'muted', right = 'muted'] = inks;
  return [
    { ...axis, side: 'left', ink: left },
    { ...axisOnGrid(second, axis.ticks.length, place), side: 'right', ink: right },
  ];
}

/** The values that an axis has. */
interface AxisBounds {
  readonly low: number;
  readonly high: number;
  /** True if lines have values above it. */
  readonly isCut: boolean;
}

/** A line, and the values of its axis for its own. */
interface BoundedLine {
  readonly values: Pick<LineShape, 'low' | 'high' | 'highs'>;
  readonly scaled?: (value: number) => number;
}

/** Finds the bounds of the axis of lines with points. Outliers are left out unless `isWhole`, or another line is as high. */
function axisBounds(lines: readonly BoundedLine[], isWhole = false): AxisBounds {
  const usual: number[] = [];
  const all: number[] = [];
  for (const { values, scaled = (value: number) => value } of lines) {
    const high = isWhole ? values.high : highWithoutOutliers(values);
    // The index of a line whose first day is below zero falls where its values rise.
    usual.push(scaled(values.low), scaled(high));
    all.push(scaled(values.high));
  }
  const [low, high] = [Math.min(...usual), Math.max(...usual)];
  return { low, high, isCut: Math.max(...all) > high };
}

const leastColumnCount = 5;
const columnsPerOutlier = 50;
const farTimes = 10;

/**
 * The highest value of a line without its outliers: a few values so high that an axis with them would flatten the rest. At most one column in
 * fifty, or one, may be outliers: those more than ten times as high as every other column. A line of fewer than five columns has none.
 */
function highWithoutOutliers({ high, highs }: BoundedLine['values']): number {
  const most = Math.max(1, Math.floor(highs.length / columnsPerOutlier));
  // Most columns of most lines have a tenth of the highest value or more; sorting takes longer.
  let largeCount = 0;
  for (let index = 0; index < highs.length; index++) if (farTimes * (highs[index] ?? 0) >= high) largeCount++;
  if (highs.length < leastColumnCount || largeCount > most) return high;
  const sorted = highs.toSorted().reverse();
  for (let count = most; count > 0; count--) {
    const rest = sorted[count] ?? 0;
    if (rest > 0 && (sorted[count - 1] ?? 0) > farTimes * rest) return rest;
  }
  return high;
}

/** The words of axes that are cut: `axis cut above 7,279`. */
function cutWords(axes: readonly AxisBounds[]): readonly string[] {
  // An index has no decimals that say something.
  const cuts = axes.flatMap(({ high, isCut }) =>
    isCut ? [`above ${formatExact(high >= 100 ? Math.round(high) : high)}`] : [],
  );
  return cuts.length === 0 ? [] : [`axis cut ${cuts.join(', ')}`];
}

/** Says where values far from zero have an axis without it. */
function zeroWords(axes: readonly AxisBounds[]): readonly string[] {
  const without = axes.filter(({ low, high }) => {
    const [from, to] = domainOf(low, high);
    return from > 0 || to < 0;
  });
  if (without.length === 0) return [];
  return [
    axes.length === 1
      ? 'axis does not begin at 0'
      : `${without.length === 1 ? 'an axis does' : 'the axes do'} not begin at 0`,
  ];
}

/** Adds words to each of some phrases. */
function withWords(phrases: readonly string[], words: readonly string[]): readonly string[] {
  const all = words.join('; ');
  if (all === '') return phrases;
  return phrases.length === 0 ? [all] : phrases.map((phrase) => `${phrase}; ${all}`);
}

/** A line and that of the period before. */
function withPrevious(line: BoundedLine & { readonly shape: LineShape }): readonly BoundedLine[] {
  const { previous } = line.shape;
  return previous === undefined ? [line] : [line, { ...line, values: previous.means ?? previous }];
}

/** Draws the line of the period before, pale and without its band, over the times of a line. */
function drawPrevious(
  { shape, ...look }: LineLook & { readonly shape: LineShape },
  drawing: LineDrawing,
): string {
  const { previous } = shape;
  if (previous === undefined) return '';
  const xAt = (timestamp: number) => drawing.xAt(timestamp - previous.window.from + shape.window.from);
  const past = { ...look, hasArea: false, hasBand: false, isPast: true };
  return `<g opacity=".4">${previous.draw(past, { ...drawing, xAt })}</g>`;
}
