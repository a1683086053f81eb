/** The data and the histories of charts of shares, and whole numbers by weight for them. */
import { createRandom } from './random.ts';
import type { JsonText } from './records.ts';

/** A share; `group` of an inner share of a drilldown pie. */
export interface ShareName {
  readonly group?: string;
  readonly name: string;
}

/** A share with its value, or the text of it, or the texts of a row of bars. */
export type MadeShare = ShareName & { readonly value: number | string };

/** The name of a slice, and its relative weight. */
export type Weight = readonly [name: string, weight: number];

/** The name of a slice and its parts, whose weights add up to its own. */
export type WeightGroup = readonly [name: string, parts: readonly Weight[]];

/** Parses weights such as `Paper=68, Purpur=11`. */
export function weights(text: string): Weight[] {
  return text.split(', ').map((part) => {
    const [name = '', weight] = part.split('=');
    return [name, Number(weight)];
  });
}

/**
 * Divides `total` by weight into whole numbers that add up to it. Each seed shifts the weights a little, so
 * that no two plugins look alike. The smallest share comes first; empty ones are left out.
 */
export function divide(
  slices: readonly Weight[],
  { total, seed }: { readonly total: number; readonly seed: string },
): (ShareName & { readonly value: number })[] {
  const random = createRandom(seed);
  const shifted = slices.map(([name, weight]): Weight => [name, weight * (0.6 + 0.8 * random.next())]);
  let weightLeft = sum(shifted);
  let countLeft = total;
  const shares = shifted.map(([name, weight], index) => {
    // The last one gets the remainder, which includes the rounding of the others.
    const isLast = index === shifted.length - 1;
    const value = isLast ? countLeft : Math.round((countLeft * weight) / weightLeft);
    weightLeft -= weight;
    countLeft -= value;
    return { name, value };
  });
  return shares.filter(({ value }) => value > 0).sort((one, other) => one.value - other.value);
}

/** Divides `total` among groups and within each, for a `drilldown_pie`. */
export function divideGroups(
  groups: readonly WeightGroup[],
  { total, seed }: { readonly total: number; readonly seed: string },
): MadeShare[] {
  const partsOf = new Map(groups);
  const outer = groups.map(([name, parts]): Weight => [name, sum(parts)]);
  return divide(outer, { total, seed }).flatMap(({ name: group, value }) =>
    divide(partsOf.get(group) ?? [], { total: value, seed: `${seed}/${group}` }).map((share) => ({
      group,
      ...share,
    })),
  );
}

/**
 * Shares as the data of a chart of this type: of a pie, a map, bars or a drilldown pie. `idOf` names the
 * inner pie of a group.
 */
export function sharesData(
  type: string,
  shares: readonly MadeShare[],
  idOf = (group: string): string => group,
): JsonText {
  const text = JSON.stringify;
  if (type.endsWith('_map'))
    return `[${shares.map(({ name, value }) => `{"code":${text(name)},"value":${value}}`).join()}]`;
  if (type.endsWith('_bar'))
    return `[${shares.map(({ name, value }) => `{"name":${text(name)},"data":[${value}]}`).join()}]`;
  if (type !== 'drilldown_pie')
    return `[${shares.map(({ name, value }) => `{"name":${text(name)},"y":${value}}`).join()}]`;
  const groups = [...Map.groupBy(shares, ({ group = '' }) => group)];
  const inner = groups.map(([group, own]) => {
    const data = own.map(({ name, value }) => `[${text(name)},${value}]`).join();
    return `{"name":${text(group)},"id":${text(idOf(group))},"data":[${data}]}`;
  });
  // An outer share is the sum of its inner ones.
  const outer = groups.map(([group, own]) => {
    const total = own.reduce((so, { value }) => so + Number(value), 0);
    return `{"name":${text(group)},"y":${total},"drilldown":${text(idOf(group))}}`;
  });
  return `{"drilldownData":[${inner.join()}],"seriesData":[${outer.join()}]}`;
}

/** The members `times` and `series` of a history record. */
export function historyMembers(
  times: readonly number[],
  series: readonly (ShareName & { readonly values: readonly (number | string | null)[] })[],
): JsonText {
  const texts = series.map(({ group, name, values }) => {
    const names = `${group === undefined ? '' : `"group":${JSON.stringify(group)},`}"name":${JSON.stringify(name)}`;
    return `{${names},"values":[${values.map(String).join()}]}`;
  });
  return `"times":[${times.join()}],"series":[${texts.join()}]`;
}

function sum(slices: readonly Weight[]): number {
  return slices.reduce((total, [, weight]) => total + weight, 0);
}
