import type { ChartName } from '../../model/catalogue.ts';
import type { Columns } from '../../model/columns.ts';

/** Columns that were merged into a chart. */
export interface MergedChart extends ChartName {
  readonly isLine: boolean;
  readonly parts: readonly Columns[];
}
