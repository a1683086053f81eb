/** Text in SVG: escaping, measuring, cutting. */

/**
 * Formats a coordinate or length with at most one decimal: -1.2, .5. Results are cached, because a picture
 * has many equal coordinates.
 */
export function coordinate(value: number): string {
  const tenths = Math.round(value * 10);
  if (Math.abs(tenths) > maxKnownTenths) return tenthsText(tenths);
  knownTenths[tenths] ??= tenthsText(tenths);
  return knownTenths[tenths];
}

function tenthsText(tenths: number): string {
  return String(tenths / 10).replace(/^(-?)0\./, '$1.');
}

/** Cache limit. Pictures are at most 1600 pixels wide, but a line in one may be much longer. */
const maxKnownTenths = 16_000;
const knownTenths: Record<number, string> = {};

/**
 * Escapes text for elements and quoted attributes. Characters that XML 1.0 forbids become U+FFFD. Text with
 * right-to-left letters is isolated, so that it does not reorder adjacent text.
 */
export function escapeXml(text: string): string {
  if (isPlain.test(text)) return text;
  const isolated = rightToLeft.test(text)
    ? `\u2068${text.replace(bidiControls, '')}\u2069`
    : text.replace(bidiControls, '');
  return isolated
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replace(special, (character) => entities[character] ?? '');
}

/** Position and style of a {@link textElement}. */
interface TextPlace {
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  /** Text size in pixels. */
  readonly size: number;
  readonly anchor?: 'middle' | 'end' | undefined;
  readonly isBold?: boolean;
  /** Additional attributes, such as the colour, with a leading space. */
  readonly attributes: string;
}

/** Renders a single-line `<text>`, escaped. */
export function textElement(text: string, { x, y, size, anchor, isBold, attributes }: TextPlace): string {
  const anchored = anchor === undefined ? '' : ` text-anchor="${anchor}"`;
  const weight = isBold === true ? ' font-weight="600"' : '';
  return `<text x="${coordinate(x)}" y="${coordinate(y)}" font-size="${size}"${weight}${anchored}${attributes}>${escapeXml(text)}</text>`;
}

/**
 * Returns the width of a text in pixels. System fonts differ, so it assumes the widest of the common ones.
 */
export function measureText(text: string, size: number, isBold = false): number {
  let width = 0;
  for (const character of text.replace(joinedEmoji, '')) width += characterWidth(character);
  return (width * size * (isBold ? boldFactor : 1)) / 100;
}

/** Cuts a text to a width, with an ellipsis after whole characters; '' if not even the ellipsis fits. */
export function cutText(
  text: string,
  maxWidth: number,
  { size, isBold = false }: { readonly size: number; readonly isBold?: boolean },
): string {
  if (measureText(text, size, isBold) <= maxWidth) return text;
  let rest = maxWidth - measureText(ellipsis, size, isBold);
  if (rest < 0) return '';
  let kept = '';
  segmenter ??= new Intl.Segmenter('en');
  for (const { segment } of segmenter.segment(text)) {
    rest -= measureText(segment, size, isBold);
    if (rest < 0) break;
    kept += segment;
  }
  return kept.trimEnd() + ellipsis;
}

const ellipsis = '…';
let segmenter: Intl.Segmenter | undefined;

const isPlain = /^[\x20\x21\x23-\x25\x27-\x3b\x3d\x3f-\x7e\xa0-\u0590]*$/;
const forbidden = /(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu;
const special = /[&<>"]/g;
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200f\u202b\u202e\u2067]/u;
const bidiControls = /\p{Bidi_Control}/gu;

const boldFactor = 1.12;
// Widths in hundredths of an em for U+0020 to U+007E: the wider of DejaVu Sans and Liberation Sans.
const asciiWidths = [
  32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34,
  34, 84, 84, 84, 56, 102, 68, 69, 72, 77, 67, 61, 78, 75, 29, 50, 67, 56, 86, 75, 79, 67, 79, 72, 67, 61, 73,
  68, 99, 69, 67, 69, 39, 34, 39, 84, 56, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63,
  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/** Marks, joiners, skin tones, and Hangul vowels and finals that combine with an initial. */
const zeroWidth = /^[\p{M}\p{Cf}\p{Emoji_Modifier}\u1160-\u11ff]$/u;
/** Emoji joined to a previous emoji: they are drawn as one. */
const joinedEmoji = /\u200d\p{Extended_Pictographic}/gu;
const narrowScripts =
  /^[\p{Script=Arabic}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Lao}\p{Script=Thai}]$/u;

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  const ascii = asciiWidths[code - 0x20];
  if (ascii !== undefined) return ascii;
  // Control characters are drawn as U+FFFD.
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 105;
  if (zeroWidth.test(character)) return 0;
  if (code < 0x370) return 80;
  if (narrowScripts.test(character)) return 70;
  if (code < 0x1100) return 95;
  // Two regional indicators form one flag.
  if (/^\p{Regional_Indicator}$/u.test(character)) return 70;
  return code < 0x1f000 && !/^\p{Emoji_Presentation}$/u.test(character) ? 105 : 140;
}
