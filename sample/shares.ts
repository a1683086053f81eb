// The distribution of servers over versions, systems and countries: whole numbers by weight, as the data of pies and maps.
import type { JsonText } from './chart.ts';
import { createRandom } from './random.ts';

/** The name of a slice, and its relative weight. */
export type Weight = readonly [name: string, weight: number];

/** The name of a slice and its parts, whose weights add up to its own. */
export type WeightGroup = readonly [name: string, parts: readonly Weight[]];

/** The name of a slice and its count. */
export type Share = readonly [name: string, count: number];

/** Parses weights such as `Paper=68, Purpur=11`. */
export function weights(text: string): Weight[] {
  return text.split(', ').map((part) => {
    const [name = '', weight] = part.split('=');
    return [name, Number(weight)];
  });
}

/**
 * Divides `total` by weight into whole numbers that add up to it. Each seed shifts the weights a little, so that no two
 * plugins look alike. The smallest share comes first; empty ones are left out.
 */
export function divide(
  slices: readonly Weight[],
  { total, seed }: { readonly total: number; readonly seed: string },
): Share[] {
  const random = createRandom(seed);
  const shifted = slices.map(([name, weight]): Weight => [name, weight * (0.6 + 0.8 * random.next())]);
  let weightLeft = sum(shifted);
  let countLeft = total;
  const shares = shifted.map(([name, weight], index): Share => {
    // The last one gets the remainder, which includes the rounding of the others.
    const isLast = index === shifted.length - 1;
    const count = isLast ? countLeft : Math.round((countLeft * weight) / weightLeft);
    weightLeft -= weight;
    countLeft -= count;
    return [name, count];
  });
  return shares.filter(([, count]) => count > 0).sort(([, one], [, other]) => one - other);
}

/** Shares as the data of a pie. */
export function pieData(shares: readonly Share[]): JsonText {
  return JSON.stringify(shares.map(([name, y]) => ({ name, y })));
}

/** Shares named by country code as the data of a map. */
export function mapData(shares: readonly Share[]): JsonText {
  return JSON.stringify(shares.map(([code, value]) => ({ code, value })));
}

/** Divides `total` among groups and within each, as the data of a `drilldown_pie`. */
export function drilldownData(
  groups: readonly WeightGroup[],
  { total, seed }: { readonly total: number; readonly seed: string },
): JsonText {
  const partsOf = new Map(groups);
  const shares = divide(
    groups.map(([name, parts]) => [name, sum(parts)]),
    { total, seed },
  );
  return JSON.stringify({
    drilldownData: shares.map(([name, count]) => {
      const data = divide(partsOf.get(name) ?? [], { total: count, seed: `${seed}/${name}` });
      return { name, id: name, data };
    }),
    seriesData: shares.map(([name, y]) => ({ name, y, drilldown: name })),
  });
}

function sum(slices: readonly Weight[]): number {
  return slices.reduce((total, [, weight]) => total + weight, 0);
}
