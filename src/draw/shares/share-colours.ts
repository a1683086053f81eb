/** The colours of shares by their names: each has one colour in every window and view of its chart. */
import { isVersion, newestFirst } from '../../model/versions.ts';
import { seriesInkCount, versionColourCount } from '../theme.ts';

/** The least part of the names of a chart of versions that are versions. */
const leastVersionPart = 0.8;

/** The most steps of the ramp between two neighbouring versions. */
const maxStep = 3;

/** True for the colours of a chart of versions. */
export function areVersionNames(colours: readonly string[]): boolean {
  return colours.length > 0 && colours.filter(isVersion).length >= colours.length * leastVersionPart;
}

/**
 * The colours of names. Each is the place of the name in `colours`; those that are not there have the further ones. Versions have a ramp from the
 * newest to the oldest of `colours`, and one that is not there has the colour of the next older one.
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

/** The colour of a version: below 0, -1 that of the newest. */
function versionColour(name: string, ramp: readonly string[]): number {
  const last = ramp.length - 1;
  const newerCount = ramp.filter((other) => newestFirst(other, name) < 0).length;
  const step = Math.min(maxStep, (versionColourCount - 1) / Math.max(1, last));
  return -1 - Math.round(Math.min(newerCount, last) * step);
}

/** The colours of charts that are added up: those of each, in turn. */
export function joinColours(charts: readonly (readonly string[])[]): readonly string[] {
  const names = Array.from({ length: seriesInkCount }, (_, place) =>
    charts.flatMap((one) => one[place] ?? []),
  );
  return [...new Set(names.flat())].slice(0, seriesInkCount);
}
