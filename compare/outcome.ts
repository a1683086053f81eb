/** Outcomes of requests and commands as named texts, so that one function compares them all. */
import { isUtf8 } from 'node:buffer';

/**
 * Texts, or bytes, by the name of their part, such as `status`, `header vary`, `body`, `exit code` or
 * `stdout`.
 */
export type Outcome = ReadonlyMap<string, string | Buffer>;

/** A part that two outcomes do not have in common, as text. */
export interface Difference {
  readonly part: string;
  readonly earlier: string;
  readonly present: string;
}

/** Text of a part that an outcome does not have. */
export const missing = '(none)';

/** Lists the parts that differ, in the order of their names in the outcomes. */
export function differencesBetween(earlier: Outcome, present: Outcome): readonly Difference[] {
  return [...new Set([...earlier.keys(), ...present.keys()])].flatMap((part) => {
    const [one = missing, other = missing] = [earlier.get(part), present.get(part)];
    const isSame = Buffer.isBuffer(one) && Buffer.isBuffer(other) ? one.equals(other) : one === other;
    return isSame ? [] : [{ part, earlier: textOf(one), present: textOf(other) }];
  });
}

/** Text in which each byte counts: UTF-8, or a mark and a character for each byte. */
export function textOf(value: string | Buffer): string {
  if (typeof value === 'string') return value;
  return isUtf8(value) ? value.toString('utf8') : `${bytesMark}${value.toString('latin1')}`;
}

const bytesMark = 'bytes ';

/** True for the text of bytes that are no UTF-8, such as those of a PNG. */
export function isBytes(text: string): boolean {
  return text.startsWith(bytesMark);
}
