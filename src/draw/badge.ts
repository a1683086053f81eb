/** Badges: a label and a short message. */
import { makeBadge } from 'badge-maker';
import type { Badge } from './badge-look.ts';

/** A badge as an SVG document. */
export function drawBadge({ label, message, color, style }: Badge): string {
  return makeBadge({ label: drawable(label), message: drawable(message), color, style });
}

/** Without what XML 1.0 forbids, and without characters that reorder the text beside them. */
function drawable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what XML 1.0 forbids.
  const forbidden = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;
  return text.toWellFormed().replace(forbidden, '');
}
