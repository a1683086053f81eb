/** Shares with their values, as the data of pies, maps and bars has them. */
import type { ShareName } from '../columns.ts';

/** A share and its value. */
export type ShareValue = readonly [share: ShareName, value: number];

/** Consecutive shares of one group, or one share without a group. */
export interface ShareGroup {
  readonly name: string;
  readonly shares: readonly ShareValue[];
}

/** Groups consecutive shares; forms list the shares of a group one after the other. */
export function groupsIn(shares: readonly ShareValue[]): readonly ShareGroup[] {
  const groups: { readonly name: string; readonly shares: ShareValue[] }[] = [];
  let last: string | null = null;
  for (const share of shares) {
    const [{ group, name }] = share;
    if (group !== null && group === last) groups.at(-1)?.shares.push(share);
    else groups.push({ name: group ?? name, shares: [share] });
    last = group;
  }
  return groups;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of an object; none of another value. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

/** The elements of an array; none of another value. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects in an array. */
export function entriesIn(value: unknown): readonly Members[] {
  return listIn(value).filter(isObject);
}

/** Makes a share if the parts have the right types. In the element, servers may send anything. */
export function shareIn(group: unknown, name?: unknown, value?: unknown): ShareValue[] {
  const isGroup = group === null || typeof group === 'string';
  return isGroup && typeof name === 'string' && typeof value === 'number' ? [[{ group, name }, value]] : [];
}
