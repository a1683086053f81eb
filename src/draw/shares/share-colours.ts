/**
 * The colours of shares by their names, so that each has one in every window and view of its chart, and their
 * looks.
 */
import { isVersion, newestFirst } from '../../model/versions.ts';
import { type Ink, type Paint, type Shade, seriesInk, seriesInkCount } from '../theme.ts';

/** Minimum fraction of names that are versions in a chart of versions. */
const leastVersionPart = 0.8;

/** Maximum steps on the ramp between two neighbouring versions. */
const maxStep = 3;

/** True if most of the names are versions. */
export function areVersionNames(colours: readonly string[]): boolean {
  return colours.length > 0 && colours.filter(isVersion).length >= colours.length * leastVersionPart;
}

/**
 * Returns the colour indexes of names: the position in `colours`, or the next free index. Versions instead
 * get colours from a ramp between the newest and the oldest version in `colours`; a version that is not there
 * gets the colour of the next older one.
 */
export function colourRanks(names: readonly string[], colours: readonly string[] = []): readonly number[] {
  let next = colours.length;
  const ramp = areVersionNames(colours) ? colours.toSorted(newestFirst) : [];
  return names.map((name) => {
    if (ramp.length > 0 && (isVersion(name) || ramp.includes(name))) return versionColour(name, ramp);
    const place = colours.indexOf(name);
    return place === -1 ? next++ : place;
  });
}

/** Returns the colour index of a version, which is negative: -1 is the colour of the newest. */
function versionColour(name: string, ramp: readonly string[]): number {
  const last = ramp.length - 1;
  const newerCount = ramp.filter((other) => newestFirst(other, name) < 0).length;
  const step = Math.min(maxStep, (versionColours.length - 1) / Math.max(1, last));
  return -1 - Math.round(Math.min(newerCount, last) * step);
}

/** Merges the colour orders of charts that are added up, taking names from each chart in turn. */
export function joinColours(charts: readonly (readonly string[])[]): readonly string[] {
  const names = Array.from({ length: seriesInkCount }, (_, place) =>
    charts.flatMap((one) => one[place] ?? []),
  );
  return [...new Set(names.flat())].slice(0, seriesInkCount);
}

const greySteps = ['0.9', '0.65', '0.45'];

/**
 * Colours of versions from the newest to the oldest: blue, then pale, then grey. They can be told from both
 * grounds.
 */
const versionColours = '2456e6 3467ef 4678f6 5c8af9 759dfb 8fb0f9 a1b9ee adbee0 b4c0d3 bec8d5 cad2dc d6dce3'
  .split(' ')
  .map((digits): Shade => `#${digits}`);

/**
 * The ink of a slice: twelve colours, then grey; below 0 the colour of a version; and the faintest grey for
 * "Other" (`undefined`).
 */
function sliceInk(rank: number | undefined): Ink | Shade {
  if (rank === undefined) return 'axis';
  if (rank < 0) return versionColours[-1 - rank] ?? 'muted';
  return rank < seriesInkCount ? seriesInk(rank) : 'muted';
}

/** Attributes that fill a slice, with a space before them. Neighbouring greys differ. */
export function sliceFill(paint: Paint, rank: number | undefined): string {
  const fill = paint.fill(sliceInk(rank));
  if (rank === undefined || rank < seriesInkCount) return fill;
  return `${fill} fill-opacity="${greySteps[(rank - seriesInkCount) % greySteps.length]}"`;
}

/** Attributes that draw a slice as a line. */
export function sliceStroke(paint: Paint, rank: number | undefined): string {
  return `${paint.stroke(sliceInk(rank))} stroke-width="1.75" stroke-linejoin="round"`;
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
