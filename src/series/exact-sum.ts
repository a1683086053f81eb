/** Exact sums of doubles, independent of the order of addition. */

/** A sum as doubles whose digits do not overlap, largest first. */
export type ExactSum = readonly number[];

/** Adds a number (J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997, section 2). A sum that exceeds the largest double stays infinite. */
export function addExactly(sum: ExactSum, value: number): ExactSum {
  const parts: number[] = [];
  let total = value;
  for (const part of sum.toReversed()) {
    const [large, small] = Math.abs(total) < Math.abs(part) ? [part, total] : [total, part];
    total = large + small;
    if (!Number.isFinite(total)) return [Math.sign(total) * Number.MAX_VALUE];
    const rest = small - (total - large);
    if (rest !== 0) parts.unshift(rest);
  }
  return total === 0 && parts.length > 0 ? parts : [total, ...parts];
}

/** Adds all numbers of a column. */
export function addColumn(sum: ExactSum, column: Float64Array): ExactSum {
  let [total, size, isWhole] = [0, 0, true];
  for (const value of column) {
    total += value;
    size += Math.abs(value);
    isWhole &&= Number.isInteger(value);
  }
  // Integer addition within this range is exact.
  if (isWhole && size <= Number.MAX_SAFE_INTEGER) return addExactly(sum, total);
  return column.reduce<ExactSum>(addExactly, sum);
}

/** Compares two sums; negative if the first is smaller. */
export function compareSums(a: ExactSum, b: ExactSum): number {
  if (a.length === 1 && b.length === 1) return (a[0] ?? 0) - (b[0] ?? 0);
  return b.reduce<ExactSum>((rest, part) => addExactly(rest, -part), a)[0] ?? 0;
}
