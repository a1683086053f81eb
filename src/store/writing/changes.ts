/** The stored rows that an import refers to, and the rows that it writes. */
import type { AppError } from '../../model/app-error.ts';
import type { ChartName } from '../../model/chart.ts';
import type { MergedChart } from '../facts/merged-chart.ts';
import type { ChartWindows } from '../removed-windows.ts';
import type { StoredRow } from '../table.ts';
import type { Row } from '../tables.ts';

/** A chart that a store holds. */
export interface KnownChart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly uid: number;
  readonly type: string;
  /** May be false if no record brings the chart itself, although the chart has data. */
  readonly hasData: boolean;
  /** Time of the data that it shows; null if they have none. May be left out if no record brings data with a time. */
  readonly shownAt?: number | null;
  /** Set where the row of these data is not intact: data of an earlier time may not be older than they are. */
  readonly damage?: AppError;
  /** Its row; undefined if no record brings the chart itself. */
  readonly row?: StoredRow<Row<'chart'>>;
}

/** The stored rows, by id, that some records refer to. */
export interface Known {
  readonly software: ReadonlyMap<number, StoredRow<Row<'software'>>>;
  readonly owners: ReadonlyMap<number, StoredRow<Row<'owner'>>>;
  readonly plugins: ReadonlyMap<number, StoredRow<Row<'plugin'>>>;
  readonly oldNames: ReadonlyArray<StoredRow<Row<'oldName'>>>;
  readonly charts: readonly KnownChart[];
  readonly removals: ReadonlyArray<StoredRow<Row<'removal'>>>;
  /** The windows of charts with removed points. */
  readonly windows: ReadonlyArray<StoredRow<Row<'removedWindow'>>>;
}

/** The rows to write, without those that do not change. */
export interface Changes {
  /** To be written in this order, one software perhaps twice: it may take a url that another has just given up. */
  readonly software: ReadonlyArray<Row<'software'>>;
  readonly owners: ReadonlyMap<number, Row<'owner'>>;
  readonly plugins: ReadonlyMap<number, Row<'plugin'>>;
  readonly oldNames: ReadonlyArray<Row<'oldName'>>;
  /** By uid, like the fields below. */
  readonly charts: ReadonlyMap<number, Row<'chart'>>;
  readonly shownRows: ReadonlyMap<number, Row<'snapshot'>>;
  /** Columns to merge into those of charts; at a time that several have, the last one counts. */
  readonly merged: ReadonlyMap<number, MergedChart>;
  /** Each with another plugin, time or title. */
  readonly events: ReadonlyArray<Row<'event'>>;
  readonly removals: ReadonlyArray<Row<'removal'>>;
  /** Removals to delete, because what was removed is back; an empty chart id means the plugin itself. */
  readonly endedRemovals: readonly ChartName[];
  /** Charts with other windows of removed points. */
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
