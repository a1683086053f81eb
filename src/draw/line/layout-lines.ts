/** Lays out a picture of lines: a single line, servers and players, or a comparison. */
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
  /** Multiplier from its values to those of the axis; 1 by default. */
  readonly factor?: number;
}

/** A legend, before the lines are placed. */
export interface LineLegend {
  /** Room it needs above the lines, and to their right. */
  readonly height: number;
  readonly rightMargin: number;
  /** Draws the legend, given the y coordinates of the ends of the lines. */
  readonly draw: (paint: Paint, endYs: readonly number[], box: PlotBox) => string;
}

/** Content of a picture of lines. */
interface LinesPicture {
  readonly title: string;
  /** At least one line. */
  readonly lines: readonly LineToPlace[];
  /** Description of the lines. */
  readonly description: string;
  /**
   * Notes for below the title and for an additional row; each lists alternatives, of which the first that
   * fits is used.
   */
  readonly notes: ReadonlyArray<readonly Note[]>;
  readonly row?: ReadonlyArray<readonly Note[]> | undefined;
  /** Makes the legend below the heading, which ends at `top`; undefined if the notes contain the names. */
  readonly legendBelow?: (top: number) => LineLegend;
  /** True if two lines may have separate axes where one of them would look flat otherwise. */
  readonly mayHaveTwoAxes?: boolean;
  /** True for a logarithmic axis; it falls back to linear if no value is above zero. */
  readonly isLog?: boolean;
  readonly marks?: EventMarks | undefined;
}

/**
 * Maximum number of lines drawn with bands. More bands would hide each other, so then only the means are
 * drawn.
 */
const maxBandCount = 2;

/** Lays out lines. */
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
      // No areas on two scales, because they could not be compared, and none for several lines, because they
      // would hide each other.
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

/** Describes how lines of means are drawn; the second, shorter phrase is for when the first does not fit. */
function meansPhrases(lines: readonly LineToPlace[], hasBands: boolean): readonly string[] {
  const shape = lines.find((line) => line.shape.means !== undefined)?.shape;
  if (shape?.means === undefined) return [];
  const { mean } = shape.means.step;
  return hasBands && shape.low !== shape.high
    ? [`${mean}, band from lowest to highest`, `${mean}, lowest to highest`]
    : [mean];
}

/**
 * True if a line on this axis lies near zero and hardly moves; false for a line of zeros, which may lie
 * there.
 */
function isFlatOn(axis: AxisBounds, { low, high }: AxisBounds): boolean {
  const [from, to] = domainOf(axis.low, axis.high);
  const height = to - from;
  const farthest = Math.max(-low, high);
  return farthest > 0 && farthest <= nearZeroShare * height && high - low < flatShare * height;
}

const nearZeroShare = 0.15;

/** Makes one axis, or two axes on one grid, each in the ink of its line. */
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

/** Range of values of an axis. */
interface AxisBounds {
  readonly low: number;
  readonly high: number;
  /** True if some values exceed the range. */
  readonly isCut: boolean;
}

/** A line, and the function that scales its values to the axis. */
interface BoundedLine {
  readonly values: Pick<LineShape, 'low' | 'high' | 'highs'>;
  readonly scaled?: (value: number) => number;
}

/**
 * Finds the range of the axis for lines with points. Outliers are excluded unless `isWhole` is true or
 * another line is as high.
 */
function axisBounds(lines: readonly BoundedLine[], isWhole = false): AxisBounds {
  const usual: number[] = [];
  const all: number[] = [];
  for (const { values, scaled = (value: number) => value } of lines) {
    const high = isWhole ? values.high : highWithoutOutliers(values);
    // With a negative factor, an indexed line falls where its values rise, so high and low swap.
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
 * Returns the highest value of a line without outliers: a few values so high that including them would
 * flatten the rest. Outliers are more than ten times as high as every other column. At most one column in
 * fifty, but always one, may be an outlier; a line with fewer than five columns has none.
 */
function highWithoutOutliers({ high, highs }: BoundedLine['values']): number {
  const most = Math.max(1, Math.floor(highs.length / columnsPerOutlier));
  // Fast path that avoids sorting: in most lines, most columns reach a tenth of the highest value.
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

/** Describes which axes are cut: `axis cut above 7,279`. */
function cutWords(axes: readonly AxisBounds[]): readonly string[] {
  // Decimals of a large index are meaningless.
  const cuts = axes.flatMap(({ high, isCut }) =>
    isCut ? [`above ${formatExact(high >= 100 ? Math.round(high) : high)}`] : [],
  );
  return cuts.length === 0 ? [] : [`axis cut ${cuts.join(', ')}`];
}

/** Describes which axes do not start at zero. */
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

/** Appends words to each phrase. */
function withWords(phrases: readonly string[], words: readonly string[]): readonly string[] {
  const all = words.join('; ');
  if (all === '') return phrases;
  return phrases.length === 0 ? [all] : phrases.map((phrase) => `${phrase}; ${all}`);
}

/** Returns a line together with the line of the previous period. */
function withPrevious(line: BoundedLine & { readonly shape: LineShape }): readonly BoundedLine[] {
  const { previous } = line.shape;
  return previous === undefined ? [line] : [line, { ...line, values: previous.means ?? previous }];
}

/** Draws the line of the previous period over the times of a line, pale and without its band. */
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
