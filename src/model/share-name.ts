/** The names of shares: slices of a pie, countries of a map, bars. */

/** A share: a part of a chart. */
export interface ShareName {
  /** The outer share that it belongs to in a drilldown pie; null in all other charts. */
  readonly group: string | null;
  readonly name: string;
}

/** Orders shares by group, then by name, as the bytes of their UTF-8 are ordered. */
export function compareShares(a: ShareName, b: ShareName): number {
  return compareText(a.group ?? '', b.group ?? '') || compareText(a.name, b.name);
}

/** Orders texts as the bytes of their UTF-8 are ordered. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unitA !== unitB) return rankOf(unitA) - rankOf(unitB);
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 unit: code points beyond U+FFFF, which are surrogates, come after all others. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Makes a text that identifies a share of a chart. */
export function shareKey({ group, name }: ShareName): string {
  return group === null ? name : `${group.length} ${group}${name}`;
}

/** Makes the share of a chart that {@link shareKey} identifies. */
export function shareOfKey(key: string, isGrouped: boolean): ShareName {
  if (!isGrouped) return { group: null, name: key };
  const start = key.indexOf(' ') + 1;
  const end = start + Number(key.slice(0, start));
  return { group: key.slice(start, end), name: key.slice(end) };
}
