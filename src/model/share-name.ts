/** Names of shares: slices of a pie, countries of a map, bars. */

/** Name of a share within its chart. */
export interface ShareName {
  /** The outer share that contains it in a drilldown pie; null in all other charts. */
  readonly group: string | null;
  readonly name: string;
}

/** Orders shares by group, then by name, by their UTF-8 bytes. */
export function compareShares(a: ShareName, b: ShareName): number {
  return compareText(a.group ?? '', b.group ?? '') || compareText(a.name, b.name);
}

/** Orders texts by their UTF-8 bytes, which is the order of code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unitA !== unitB) return rankOf(unitA) - rankOf(unitB);
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 code unit: surrogates, which encode code points beyond U+FFFF, come last. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Makes a text that identifies a share within a chart. */
export function shareKey({ group, name }: ShareName): string {
  return group === null ? name : `${group.length} ${group}${name}`;
}

/** Converts a key of {@link shareKey} back to the share. */
export function shareOfKey(key: string, isGrouped: boolean): ShareName {
  if (!isGrouped) return { group: null, name: key };
  const start = key.indexOf(' ') + 1;
  const end = start + Number(key.slice(0, start));
  return { group: key.slice(start, end), name: key.slice(end) };
}
