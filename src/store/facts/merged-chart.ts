import type { ChartName } from '../../model/chart.ts';
import type { ShareHistory } from '../../model/share-history.ts';

/** The histories, or points as those of a line, that were merged into a chart. */
export interface MergedChart extends ChartName {
  readonly histories: readonly ShareHistory[];
}
