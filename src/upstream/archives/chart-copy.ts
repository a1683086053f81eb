/** Copying one chart of an archive: what is known of it, and what a copy does with its records. */
import type { Chart } from '../../model/chart.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { TakenTimes } from '../leaving-out.ts';
import type { StoredChart } from './stored-past.ts';

/** A chart of an archive that is copied. */
export interface CopiedChart {
  readonly pluginId: number;
  readonly chart: Chart;
  /** The place of the chart in messages. */
  readonly place: string;
  /** The store to fill; undefined if it does not exist yet. */
  readonly reader: MetricsReader | undefined;
  /** The chart in that store, before this copy; undefined if it does not have it. */
  readonly stored: StoredChart | undefined;
  /** The time from which on the archive has points and histories. */
  readonly since: number;
  readonly times: TakenTimes;
  /** Number of points, or of times in history records, that come before the latest ones that are wanted. */
  readonly skipCount: number;
  readonly trimsLeadingZeros: boolean;
  /** The time at which the history keeps what the chart shows now; undefined to keep none. */
  readonly historyAt: number | undefined;
}

/** A copy of one chart. */
export interface ChartCopy {
  /** Takes a record of the chart, and gives those to write for it. */
  take(record: MetricsRecord & { readonly kind: 'data' | 'history' }): Promise<readonly MetricsRecord[]>;
  /** Gives the records to write after all others of the chart. */
  end(): readonly MetricsRecord[];
}
