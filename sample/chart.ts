// A chart of the sample.
import type { MadeChart } from '../catalogues/records.ts';

/** A chart without its position and uid. */
export interface SampleChart extends Omit<MadeChart, 'uid' | 'position' | 'isDefault'> {
  readonly data: readonly string[];
  /** Position among the charts that its author added; by default the order in which they are listed. */
  readonly place?: number;
}
