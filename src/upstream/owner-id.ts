/** Ids for owners that come without one. */
import { createHash } from 'node:crypto';

/**
 * An id made from a name: 52 bits of its SHA-256 above 2^52, where no counted id ever comes. The same name always gives the
 * same id; two of a million names meet with a chance of one in ten thousand.
 */
export function ownerIdFor(name: string): number {
  const bits = createHash('sha256').update(name, 'utf8').digest().readBigUInt64BE() >> 12n;
  return Number(2n ** 52n + bits);
}
