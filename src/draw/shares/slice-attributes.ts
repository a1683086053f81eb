/** Attributes of ranked slices: their colours, and the index by which a script finds them. */
import { type Ink, type Paint, seriesInk, seriesInks } from '../theme.ts';

const greySteps = ['0.9', '0.65', '0.45'];

/** The ink of a slice: twelve colours, then grey, and the faintest grey for "Other" (`undefined`). */
function sliceInk(rank: number | undefined): Ink {
  if (rank === undefined) return 'axis';
  return rank < seriesInks.length ? seriesInk(rank) : 'muted';
}

/** Attributes that fill a slice, with a space before them. Neighbouring greys differ. */
export function sliceFill(paint: Paint, rank: number | undefined): string {
  const fill = paint.fill(sliceInk(rank));
  if (rank === undefined || rank < seriesInks.length) return fill;
  return `${fill} fill-opacity="${greySteps[(rank - seriesInks.length) % greySteps.length]}"`;
}

/** Attributes that fill a part of a slice, in four steps from dark to light, repeated. */
export function partFill(paint: Paint, rank: number | undefined, part: number): string {
  return `${paint.fill(sliceInk(rank))} fill-opacity="${partSteps[part % partSteps.length]}"`;
}

const partSteps = ['0.7', '0.55', '0.4', '0.28'];

/** The rank of a slice as an attribute, with a space before it; none for "Other". */
export function indexAttribute(rank: number | undefined): string {
  return rank === undefined ? '' : ` data-index="${rank}"`;
}
