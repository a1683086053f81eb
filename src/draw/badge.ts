/** Draws badges, with a label and a short message, the way shields.io does. */
import anafanafo from 'anafanafo';
import { type Badge, badgeColours } from './badge-look.ts';
import { escapeXml, measureText } from './svg.ts';

/** Draws a badge as an SVG document. */
export function drawBadge({ label, message, color, style }: Badge): string {
  const look = looks[style];
  const { height, padding, isSpaced, size } = look;
  const fill = badgeColours[color] ?? color;
  const left = measureBadgeText(label, look, false);
  const right = measureBadgeText(message, look, isSpaced);
  const leftWidth = left.text === '' ? 0 : left.width + 2 * padding;
  const width = leftWidth + right.width + 2 * padding;
  // In compact styles the texts move one pixel towards each other from the centres of their halves.
  const shift = isSpaced || left.text === '' ? 0 : 1;
  const texts =
    drawText(left, { x: leftWidth / 2 + shift, look, ground: labelFill }) +
    drawText(right, { x: (leftWidth + width) / 2 - shift, look, ground: fill });
  const halves =
    `<rect width="${leftWidth}" height="${height}" fill="${labelFill}"/>` +
    `<rect x="${leftWidth}" width="${width - leftWidth}" height="${height}" fill="${fill}"/>`;
  const words = escapeXml(left.text === '' ? right.text : `${left.text}: ${right.text}`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${words}"><title>${words}</title>` +
    drawGround(halves, width, look) +
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" text-rendering="geometricPrecision" font-size="${size * 10}">` +
    `${texts}</g></svg>`
  );
}

const labelFill = '#555';

/** Sizes of a style in pixels; `y` is the baseline in tenths of a pixel. */
interface Look {
  readonly height: number;
  readonly padding: number;
  readonly size: number;
  readonly y: number;
  /** True for spaced capitals and a bold message. */
  readonly isSpaced: boolean;
  /** Set for rounded corners, a gradient, and a shadow behind the texts. */
  readonly gradient?: { readonly radius: number; readonly stops: string };
}

const square: Look = { height: 20, padding: 5, size: 11, y: 140, isSpaced: false };
const flatStops =
  '<stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/>';
const plasticStops =
  '<stop offset="0" stop-color="#fff" stop-opacity=".7"/><stop offset=".1" stop-color="#aaa" stop-opacity=".1"/>' +
  '<stop offset=".9" stop-color="#000" stop-opacity=".3"/><stop offset="1" stop-color="#000" stop-opacity=".5"/>';
const looks: Readonly<Record<Badge['style'], Look>> = {
  flat: { ...square, gradient: { radius: 3, stops: flatStops } },
  'flat-square': square,
  plastic: { ...square, height: 18, y: 130, gradient: { radius: 4, stops: plasticStops } },
  'for-the-badge': { height: 28, padding: 12, size: 10, y: 175, isSpaced: true },
};

function drawGround(halves: string, width: number, { height, gradient }: Look): string {
  if (gradient === undefined) return `<g shape-rendering="crispEdges">${halves}</g>`;
  const size = `width="${width}" height="${height}"`;
  return (
    '<filter id="blur"><feGaussianBlur stdDeviation="16"/></filter>' +
    `<linearGradient id="s" x2="0" y2="100%">${gradient.stops}</linearGradient>` +
    `<clipPath id="r"><rect ${size} rx="${gradient.radius}"/></clipPath><g clip-path="url(#r)">${halves}<rect ${size} fill="url(#s)"/></g>`
  );
}

/** A text with its width in pixels. */
interface BadgeText {
  readonly text: string;
  readonly isBold: boolean;
  readonly width: number;
  /**
   * True if the width is known for Verdana. `textLength` then makes other fonts keep this width; with a
   * guessed width, it would space the letters badly.
   */
  readonly isKnown: boolean;
}

/**
 * Measures a text after removing characters that XML 1.0 forbids, and characters that reorder adjacent text.
 */
function measureBadgeText(given: string, { size, isSpaced }: Look, isBold: boolean): BadgeText {
  const drawable = given
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu, '')
    .trim();
  const text = isSpaced ? drawable.toUpperCase() : drawable;
  const bare = text.replace(shapers, '');
  const inVerdana = verdanaWidth(bare, `${isBold ? 'bold ' : ''}${size}px Verdana`);
  const width = Math.floor(inVerdana ?? measureText(text, size, isBold));
  const isKnown = inVerdana !== undefined && bare === text;
  // An odd width centres the text on a whole pixel. Capitals are spaced by 1.25 pixels.
  const spaces = isKnown ? 1.25 * [...text].length : 0;
  return { text, isBold, width: isSpaced ? width + spaces : width | 1, isKnown };
}

/** Zero-width characters that change their neighbours: marks, joiners, variation selectors. */
const shapers = /[\p{M}\p{Cf}]/gu;

/**
 * Returns the width of a text in Verdana, in pixels; undefined if the table lacks a character. Emoji count as
 * missing, because the fonts they come from are wider than the table says.
 */
function verdanaWidth(text: string, font: string): number | undefined {
  if (/\p{Emoji_Presentation}/u.test(text)) return undefined;
  try {
    return anafanafo(text, { font, guess: false });
  } catch {
    // The package throws only for characters that it lacks.
    return undefined;
  }
}

function drawText(
  { text, isBold, width, isKnown }: BadgeText,
  { x, look: { y, gradient }, ground }: { readonly x: number; readonly look: Look; readonly ground: string },
): string {
  if (text === '') return '';
  const isOnLight = brightnessOf(ground) > 0.69;
  const length = isKnown ? ` textLength="${10 * width}"` : '';
  const drawAt = (baseline: number, attributes: string) =>
    `<text x="${10 * x}" y="${baseline}"${length}${attributes}>${escapeXml(text)}</text>`;
  const main = drawAt(y, (isBold ? ' font-weight="bold"' : '') + (isOnLight ? ' fill="#333"' : ''));
  if (gradient === undefined) return `<g transform="scale(.1)">${main}</g>`;
  const shadow =
    drawAt(y + 10, ' fill-opacity=".8" filter="url(#blur)"') + drawAt(y + 10, ' fill-opacity=".3"');
  return `<g transform="scale(.1)"><g aria-hidden="true" fill="${isOnLight ? '#ccc' : '#010101'}">${shadow}</g>${main}</g>`;
}

/** Returns the brightness of a colour in 3 or 6 hexadecimal digits, from 0 to 1, rounded to hundredths. */
function brightnessOf(colour: string): number {
  const digits = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  return Math.round((red * 299 + green * 587 + blue * 114) / 2550) / 100;
}
