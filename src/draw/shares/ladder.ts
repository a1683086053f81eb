/**
 * A ladder of versions, newest first: for each, the share that uses it or a newer one, now and 90 days
 * earlier.
 */
import { linesIn, minorLine, sharesByLine, type VersionDays } from '../../model/versions.ts';
import type { ShareGrouping } from '../chart-content.ts';
import { chartSubject, formatDay, formatExact, formatShare, listWords } from '../format.ts';
import {
  type Box,
  boxBelowHeading,
  type Caption,
  dayNotes,
  drawPicture,
  type Note,
  type PictureOptions,
  placeHeading,
  sizesOf,
} from '../picture.ts';
import { coordinate, cutText, measureText, textElement } from '../svg.ts';
import { Paint, seriesInk } from '../theme.ts';

/** A version or minor line in a ladder. */
export interface Rung {
  readonly name: string;
  readonly share: number;
  /** Share of this version and all newer ones. */
  readonly atLeast: number;
  /** `atLeast` 90 days earlier; undefined if unknown. */
  readonly before: number | undefined;
}

/** The sentence for other charts. */
export const notVersions = 'Only charts of versions have a ladder.';

/** The versions of two days, or their minor lines, the newest first. */
export function rungsOf({ now, before }: VersionDays, group: ShareGrouping): readonly Rung[] {
  const lineOf = group === 'minor' ? minorLine : (name: string) => name;
  const lines = linesIn(now, lineOf);
  const shares = sharesByLine(lines);
  const earlier = before && sharesByLine(linesIn(before, lineOf));
  return lines.lines.map(([name]) => {
    const atLeast = earlier?.(name).atLeast ?? Number.NaN;
    return { name, ...shares(name), before: Number.isNaN(atLeast) ? undefined : atLeast };
  });
}

// In text heights.
const minRowHeight = 1.7;
const maxRowHeight = 3.2;
const gap = 0.9;
/** Minimum width, in text heights, of a box with the earlier shares. */
const minBeforeBoxWidth = 30;

const barShare = 0.5;
const maxNameShare = 0.35;
/** Number of versions named in the description. */
const namedCount = 3;

/** Describes a ladder: `26.2.x or newer 25%, 26.1.x or newer 39% and 6 more`. */
export function ladderInWords(rungs: readonly Rung[]): string {
  const named = rungs
    .slice(0, namedCount)
    .map(({ name, atLeast }) => `${name} or newer ${formatShare(atLeast)}`);
  return listWords(named, rungs.length - named.length);
}

/** The words of a ladder. @param at the day of its shares */
export function ladderCaption(
  rungs: readonly Rung[],
  { heading, at, ...chart }: Parameters<typeof chartSubject>[0] & { heading: string; at: number | null },
): Caption {
  const day = at === null ? undefined : formatDay(at);
  const on = day === undefined ? '' : ` on ${day}`;
  return { title: heading, day, description: `${chartSubject(chart)}${on}: ${ladderInWords(rungs)}` };
}

/** Draws as many versions as fit, at least one, and the number of the others. */
export function drawLadder(rungs: readonly Rung[], caption: Caption, options: PictureOptions): string {
  const paint = new Paint(options.theme);
  const { text: size, isSmall } = sizesOf(options);
  const hasBefore = rungs.some(({ before }) => before !== undefined);
  const notesWith = (words: string): readonly Note[] => [
    ...dayNotes(caption, options),
    ...(isSmall ? [] : [{ text: words, ink: seriesInk(0), isBold: true }]),
    ...(isSmall || !hasBefore ? [] : [{ text: ', mark: 90 days before', ink: 'muted' } as const]),
  ];
  const notes = ['this version or newer', 'or newer'].map(notesWith);
  const heading = placeHeading({ title: caption.title, notes, phrases: [] }, options);
  const box = boxBelowHeading(options, true);
  const rowCount = Math.max(2, Math.floor(box.height / (size * minRowHeight)));
  const shown = rungs.length <= rowCount ? rungs : rungs.slice(0, rowCount - 1);
  const restCount = rungs.length - shown.length;
  const rowHeight = Math.min(size * maxRowHeight, box.height / (shown.length + (restCount > 0 ? 1 : 0)));
  const columns = layoutColumns(shown, box, size);
  const rows = shown.map((rung, index) =>
    drawRung(rung, {
      ...columns,
      x: box.x,
      middle: box.y + (index + 0.5) * rowHeight,
      rowHeight,
      size,
      paint,
    }),
  );
  const rest =
    restCount === 0
      ? ''
      : textElement(`${formatExact(restCount)} older`, {
          x: box.x,
          y: box.y + (shown.length + 0.5) * rowHeight + size * 0.35,
          size,
          attributes: paint.fill('muted'),
        });
  const content = heading.draw(paint) + rows.join('') + rest;
  return drawPicture({ ...caption, content, paint }, options);
}

interface Columns {
  readonly nameWidth: number;
  /** x coordinates of 0% and 100%. */
  readonly left: number;
  readonly right: number;
  /** Right ends of the current and the earlier shares. */
  readonly shareEnd: number;
  readonly beforeEnd: number | undefined;
}

function layoutColumns(rungs: readonly Rung[], { x, width }: Box, size: number): Columns {
  // The margin keeps rounding from making a text too wide when it is measured again.
  const widest = (textOf: (rung: Rung) => string, isBold = false) =>
    rungs.reduce((most, rung) => Math.max(most, measureText(textOf(rung), size, isBold)), 0) + 0.1;
  const space = size * gap;
  const hasBefore = width >= size * minBeforeBoxWidth && rungs.some(({ before }) => before !== undefined);
  const beforeWidth = hasBefore ? widest(beforeText) + space : 0;
  const shareWidth = widest(({ atLeast }) => formatShare(atLeast), true) + space;
  const nameWidth = Math.min(
    widest(({ name }) => name),
    width * maxNameShare,
  );
  const end = x + width;
  return {
    nameWidth,
    left: x + nameWidth + space,
    right: end - beforeWidth - shareWidth,
    shareEnd: end - beforeWidth,
    beforeEnd: hasBefore ? end : undefined,
  };
}

function beforeText({ before }: Rung): string {
  return before === undefined ? '' : `was ${formatShare(before)}`;
}

interface RowPlace extends Columns {
  readonly x: number;
  readonly middle: number;
  readonly rowHeight: number;
  readonly size: number;
  readonly paint: Paint;
}

/**
 * Draws a row: a pale bar for the newer versions, followed by a bar for this version, and a mark where the
 * two ended 90 days earlier.
 */
function drawRung(rung: Rung, place: RowPlace): string {
  const { x, middle, rowHeight, size, paint, nameWidth, left, right, shareEnd, beforeEnd } = place;
  const { name, share, atLeast, before } = rung;
  const height = rowHeight * barShare;
  const scale = (part: number) => left + Math.min(1, Math.max(0, part)) * Math.max(1, right - left);
  const bar = (from: number, to: number, attributes: string) =>
    `<rect x="${coordinate(scale(from))}" y="${coordinate(middle - height / 2)}" width="${coordinate(Math.max(0, scale(to) - scale(from)))}"` +
    ` height="${coordinate(height)}"${attributes}/>`;
  const mark =
    before === undefined
      ? ''
      : `<path d="M${coordinate(scale(before))} ${coordinate(middle - height * 0.75)}v${coordinate(height * 1.5)}"${paint.stroke('text')} stroke-width="1.5"/>`;
  const y = middle + size * 0.35;
  return (
    bar(0, 1, `${paint.fill('muted')} fill-opacity=".14"`) +
    bar(0, atLeast - share, `${paint.fill(seriesInk(0))} fill-opacity=".45"`) +
    bar(atLeast - share, atLeast, paint.fill(seriesInk(0))) +
    mark +
    textElement(cutText(name, nameWidth, { size }), { x, y, size, attributes: paint.fill('text') }) +
    textElement(formatShare(atLeast), {
      ...{ x: shareEnd, y, size, anchor: 'end', isBold: true },
      attributes: paint.fill('text'),
    }) +
    (beforeEnd === undefined
      ? ''
      : textElement(beforeText(rung), {
          ...{ x: beforeEnd, y, size, anchor: 'end' },
          attributes: paint.fill('muted'),
        }))
  );
}
