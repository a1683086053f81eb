/** How long the suites of faults are: `PLUGIN_METRICS_TEST_FAULTS=long` asks for the long form. */

/** Whether this is the long form. */
export const isLong = process.env['PLUGIN_METRICS_TEST_FAULTS'] === 'long';

/** How much of something this run does. */
export function amount(of: { readonly quick: number; readonly long: number }): number {
  return isLong ? of.long : of.quick;
}
