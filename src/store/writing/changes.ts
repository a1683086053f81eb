/** The stored rows to which an import refers, and the rows that it writes. */
import type { AppError } from '../../model/app-error.ts';
import type { ChartName } from '../../model/catalogue.ts';
import type { MergedChart } from '../facts/merged-chart.ts';
import type { ChartWindows } from '../removals.ts';
import type { StoredRow } from '../table.ts';
import type { Row } from '../tables.ts';

/** A chart in a store. */
export interface KnownChart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  readonly type: string;
  /** May be false for a chart with data if no record contains the chart itself. */
  readonly hasData: boolean;
  /**
   * The time of the data that the chart shows; null if the data has no time. May be absent if no record
   * contains data with a time.
   */
  readonly shownAt?: number | null;
  /**
   * The error of a damaged row of this data. It is thrown for data older than `shownAt`, because the true
   * time is unknown.
   */
  readonly damage?: AppError;
  /** The row of the chart; undefined if no record contains the chart itself. */
  readonly row?: StoredRow<Row<'chart'>>;
}

/** The stored rows to which records refer. */
export interface Known {
  readonly software: ReadonlyArray<StoredRow<Row<'software'>>>;
  readonly owners: ReadonlyArray<StoredRow<Row<'owner'>>>;
  readonly plugins: ReadonlyArray<StoredRow<Row<'plugin'>>>;
  readonly oldNames: ReadonlyArray<StoredRow<Row<'oldName'>>>;
  readonly charts: readonly KnownChart[];
  readonly removals: ReadonlyArray<StoredRow<Row<'removal'>>>;
  /** The windows of removed points of charts. */
  readonly windows: ReadonlyArray<StoredRow<Row<'removedWindow'>>>;
}

/** The rows to write, without unchanged rows. */
export interface Changes {
  /**
   * Written in this order. A software may occur twice, because it may take a url that another software has
   * just given up.
   */
  readonly software: ReadonlyArray<Row<'software'>>;
  readonly owners: ReadonlyMap<number, Row<'owner'>>;
  readonly plugins: ReadonlyMap<number, Row<'plugin'>>;
  readonly oldNames: ReadonlyArray<Row<'oldName'>>;
  /** By uid, like the fields below. */
  readonly charts: ReadonlyMap<number, Row<'chart'>>;
  readonly shownRows: ReadonlyMap<number, Row<'snapshot'>>;
  /** Columns to merge into charts. If several contain a time, the last of them counts. */
  readonly merged: ReadonlyMap<number, MergedChart>;
  /** No two have the same plugin, time and title. */
  readonly events: ReadonlyArray<Row<'event'>>;
  readonly removals: ReadonlyArray<Row<'removal'>>;
  /**
   * Removals to delete, because an import has brought the removed thing back; an empty chart id means the
   * plugin itself.
   */
  readonly endedRemovals: readonly ChartName[];
  /** Charts whose windows of removed points have changed. */
  readonly windows: readonly ChartWindows[];
}

/** True if rows of the catalogue change. */
export function changesCatalogue(changes: Changes): boolean {
  return (
    changes.software.length > 0 ||
    changes.owners.size > 0 ||
    changes.plugins.size > 0 ||
    changes.oldNames.length > 0 ||
    changes.charts.size > 0
  );
}
