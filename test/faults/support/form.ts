/** The length of the suites of faults: `PLUGIN_METRICS_TEST_FAULTS=long` asks for the long form. */

/** True in the long form. */
export const isLong = process.env['PLUGIN_METRICS_TEST_FAULTS'] === 'long';

/** Chooses an amount by the form of this run. */
export function amount(of: { readonly quick: number; readonly long: number }): number {
  return isLong ? of.long : of.quick;
}
