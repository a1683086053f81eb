/** Draws a single line: the area under it, and its latest, lowest and highest value. */
import type { Period } from '../../model/window.ts';
import type { EventMarks } from '../events.ts';
import { endOf, formatExact, formatShort, type NewestTime, rangeWords, timeWords } from '../format.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import { type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { type LineToPlace, layoutLines } from './layout-lines.ts';
import type { LinesLayout } from './line-layout.ts';
import type { LineShape } from './line-shape.ts';

/** A line with its title and range. */
interface LinePicture {
  /** Title of the chart. */
  readonly title: string;
  /** Start of the description; the title by default. */
  readonly subject?: string;
  readonly shape: LineShape;
  readonly range: Period;
  readonly marks?: EventMarks | undefined;
}

/** Draws one line, or a sentence if it has no points. */
export function drawLine(picture: LinePicture, options: PictureOptions): string {
  const title = options.title ?? picture.title;
  if (picture.shape.pointCount === 0) return drawMessage(noPointsIn(picture.range), { ...options, title });
  return layoutLine(picture, options).draw();
}

/** Lays out a line that has points. */
export function layoutLine(picture: LinePicture, options: PictureOptions): LinesLayout {
  const { shape, range, marks } = picture;
  const title = options.title ?? picture.title;
  const { subject = title } = picture;
  const { latest, between, period } = partsOf(shape, { range, nowMs: options.nowMs });
  const value: Note = { text: formatExact(shape.latestValue), ink: 'series0', isBold: true };
  // Without the period in a narrow picture: a number that is cut reads as another one.
  const notes = [between + (options.isInCard === true ? '' : period), between, ''].map((words) => [
    value,
    { text: latest + words, ink: 'muted' } as const,
  ]);
  const lines = [{ name: title, shape, ink: 'series0' }] as const;
  return layoutLines(
    { title, lines, notes, description: `${subject}: ${value.text}${latest}${between}${period}`, marks },
    options,
  );
}

/** Period that a line shows, and the current time of the reader. */
export interface DescribedPeriod extends Pick<NewestTime, 'nowMs'> {
  readonly range: Period;
}

/**
 * Describes the newest, lowest and highest value of a line: `3,883 now, between 2,950 and 4,659 in the last
 * 30 days`.
 */
export function lineInWords(shape: LineShape, period: DescribedPeriod): string {
  const parts = partsOf(shape, period);
  return formatExact(shape.latestValue) + parts.latest + parts.between + parts.period;
}

function partsOf(
  { low, high, window, latestTimestamp: timestamp }: LineShape,
  { range, nowMs }: DescribedPeriod,
) {
  const latest = ` ${timeWords({ timestamp, nowMs })}`;
  if (low === high) return { latest, between: '', period: '' };
  const period = ` ${rangeWords(range, endOf(window, nowMs), timestamp)}`;
  return { latest, between: `, between ${formatExact(low)} and ${formatExact(high)}`, period };
}

/** The two lines of a plugin. Each may be missing or have no points. */
interface Overview {
  /** Name of the plugin. */
  readonly title: string;
  readonly servers: LineShape | undefined;
  readonly players: LineShape | undefined;
  readonly range: Period;
  readonly marks?: EventMarks | undefined;
}

/** In small pictures narrower than this, the values are in a row below the title. */
const leastWidthBesideTitle = 450;

/** Draws servers and players, or a sentence if neither has points. */
export function drawOverview(
  { servers, players, range, marks, ...overview }: Overview,
  options: PictureOptions,
): string {
  const title = options.title ?? overview.title;
  const lines: LineToPlace[] = [];
  if (servers !== undefined && servers.pointCount > 0)
    lines.push({ name: 'servers', shape: servers, ink: 'series0' });
  if (players !== undefined && players.pointCount > 0)
    lines.push({ name: 'players', shape: players, ink: 'series1' });
  if (lines.length === 0) return drawMessage(noPointsIn(range), { ...options, title });
  const { isSmall } = sizesOf(options);
  const timestamp = Math.max(...lines.map(({ shape }) => shape.latestTimestamp));
  const period = rangeWords(range, { timestamp });
  const latest = lines.map((line) => wordsOf(line, formatExact).join(' '));
  // A small picture shows only bold notes, so the nouns are bold there: colours alone do not identify the
  // lines.
  const bold = [formatExact, formatShort].map((format) =>
    lines.map((line, index): Note => {
      const space = index < lines.length - 1 ? '   ' : '';
      return { text: wordsOf(line, format).join(' ') + space, ink: line.ink, isBold: true };
    }),
  );
  const beside: Note[] = lines.flatMap((line): Note[] => {
    const [value, noun] = wordsOf(line, formatExact);
    return [
      { text: value, ink: line.ink, isBold: true },
      { text: ` ${noun}    `, ink: 'text' },
    ];
  });
  const row = isSmall && options.width < leastWidthBesideTitle ? bold : undefined;
  const smallNotes =
    row === undefined ? (bold[0] ?? []).map((note) => ({ ...note, text: note.text.trim() })) : [];
  const described = lines.map(({ shape }, index) => {
    const { low, high, latestTimestamp } = shape;
    const between = low === high ? '' : `, between ${formatExact(low)} and ${formatExact(high)}`;
    return `${latest[index]} ${timeWords({ timestamp: latestTimestamp })}${between}`;
  });
  return layoutLines(
    {
      title,
      lines,
      description: `${title}: ${described.join('; ')} (${period})`,
      notes: [isSmall ? smallNotes : [...beside, { text: period, ink: 'muted' }]],
      row,
      mayHaveTwoAxes: true,
      marks,
    },
    options,
  ).draw();
}

/** Returns the latest value of a line and its noun, singular or plural. */
function wordsOf({ name, shape: { latestValue } }: LineToPlace, format: (value: number) => string) {
  return [format(latestValue), latestValue === 1 ? name.slice(0, -1) : name] as const;
}
