/** Draws a picture with a sentence: no data yet, or an error. */
import type { Period } from '../model/window.ts';
import { type NewestTime, rangeWords } from './format.ts';
import { drawHeading, drawPicture, type PictureOptions, sizesOf } from './picture.ts';
import { cutText, measureText, textElement } from './svg.ts';
import { Paint } from './theme.ts';

/** Sentences for a chart that never had data, and for an unknown chart type. */
export const sentences = { none: 'No data yet.', unknown: "This chart's type is not known here." } as const;

/**
 * Returns the sentence for lines without points in a period. Without `end`, a range means that there never
 * was a point.
 */
export function noPointsIn(period: Period, end?: NewestTime): string {
  if (typeof period === 'string' && end === undefined) return sentences.none;
  return `No points ${rangeWords(period, end ?? { timestamp: Number.NaN })}.`;
}

/** Draws the title, if any, and the sentence, wrapped into lines. */
export function drawMessage(sentence: string, options: PictureOptions): string {
  const paint = new Paint(options.theme);
  const { text: size, title: titleSize, padding } = sizesOf(options);
  const maxWidth = options.width - 2 * padding;
  const { title = '' } = options;
  const lineHeight = size * 1.5;
  const top = title === '' ? padding : padding + titleSize * 0.8 + lineHeight;
  const maxLineCount = Math.max(1, Math.floor((options.height - padding - top) / lineHeight));
  const lines = wrapText(sentence, { maxWidth, maxLineCount, size });
  const firstY = (top + options.height - padding - (lines.length - 1) * lineHeight + size * 0.7) / 2;
  const content =
    (title === '' ? '' : drawHeading(title, [], { options, paint })) +
    lines
      .map((line, index) =>
        textElement(line, {
          x: options.width / 2,
          y: firstY + index * lineHeight,
          size,
          anchor: 'middle',
          attributes: paint.fill('muted'),
        }),
      )
      .join('');
  return drawPicture(
    { title: title === '' ? sentence : title, description: sentence, content, paint },
    options,
  );
}

function wrapText(
  sentence: string,
  { maxWidth, maxLineCount, size }: Readonly<Record<'maxWidth' | 'maxLineCount' | 'size', number>>,
): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of sentence.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    // The last line gets all remaining words, and is cut below.
    if (line === '' || lines.length === maxLineCount - 1 || measureText(longer, size) <= maxWidth) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => cutText(each, maxWidth, { size }));
}
