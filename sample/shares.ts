// How servers divide into versions, systems and countries: the weights behind the pies and maps.
import type { JsonText } from './chart.ts';
import { createRandom } from './random.ts';

/** What a slice is called and how much it weighs beside the others. */
export type Weight = readonly [name: string, weight: number];

/** A slice of a drilldown: its own weight is the sum of what it consists of. */
export type WeightGroup = readonly [name: string, parts: readonly Weight[]];

/** What a slice is called and how many it counts. */
export interface Share {
  readonly name: string;
  readonly count: number;
}

/**
 * Divides `total` by weight into whole numbers that add up to it. Each seed shifts the weights a little, so that
 * no two plugins look alike. The smallest share comes first; empty ones are left out.
 */
export function divide(
  weights: readonly Weight[],
  { total, seed }: { readonly total: number; readonly seed: string },
): Share[] {
  const random = createRandom(seed);
  let weightLeft = 0;
  const shifted = weights.map(([name, weight]) => {
    const shiftedWeight = weight * (0.6 + 0.8 * random.next());
    weightLeft += shiftedWeight;
    return { name, weight: shiftedWeight };
  });
  let countLeft = total;
  const shares = shifted.map(({ name, weight }, index) => {
    // The last one takes what is left, whatever rounding did to the weights before it.
    const isLast = index === shifted.length - 1;
    const count = isLast ? countLeft : Math.round((countLeft * weight) / weightLeft);
    weightLeft -= weight;
    countLeft -= count;
    return { name, count };
  });
  return shares.filter(({ count }) => count > 0).sort((one, other) => one.count - other.count);
}

/** Writes shares as the data of a pie. */
export function writePie(shares: readonly Share[]): JsonText {
  return JSON.stringify(shares.map(({ name, count }) => ({ name, y: count })));
}

/** Divides `total` among groups and within each, as the data of a `drilldown_pie`. */
export function writeDrilldownPie(
  groups: readonly WeightGroup[],
  { total, seed }: { readonly total: number; readonly seed: string },
): JsonText {
  const groupWeights = groups.map(([name, parts]): Weight => [name, sum(parts)]);
  const partsOf = new Map(groups);
  const shares = divide(groupWeights, { total, seed });
  return JSON.stringify({
    drilldownData: shares.map(({ name, count }) => {
      const parts = divide(partsOf.get(name) ?? [], { total: count, seed: `${seed}/${name}` });
      return { name, id: name, data: parts.map((part) => [part.name, part.count]) };
    }),
    seriesData: shares.map(({ name, count }) => ({ name, y: count, drilldown: name })),
  });
}

/** Writes shares named by country code as the data of a map. */
export function writeMap(shares: readonly Share[]): JsonText {
  return JSON.stringify(shares.map(({ name, count }) => ({ code: name, value: count })));
}

function sum(weights: readonly Weight[]): number {
  return weights.reduce((total, [, weight]) => total + weight, 0);
}
