/**
 * Records: the unit in which archives, stores and other servers provide data, and in which stores and
 * archives accept it.
 */
import type { Chart, OldName, Owner } from './catalogue.ts';
import type { ChartData } from './chart-data.ts';
import type { Columns } from './columns.ts';
import type { Removal } from './metrics-remover.ts';
import type { PluginEvent } from './plugin-event.ts';

/**
 * Versions of the archive format: 3 for archives that remove a window; otherwise 2 for archives with data
 * that has a time, a history, an event, an old name or a removal; otherwise 1.
 */
export const archiveVersions = { withoutPast: 1, withPast: 2, withWindows: 3 } as const;

/** Version of the archive format. */
export type ArchiveVersion = (typeof archiveVersions)[keyof typeof archiveVersions];

/** Software with the id of its global plugin. */
export interface SoftwareFields {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly globalPluginId: number | null;
}

/** Plugin with the id of its software. */
export interface PluginFields {
  readonly id: number;
  readonly name: string;
  readonly owner: Owner;
  readonly softwareId: number;
  readonly isGlobal: boolean;
}

/** One record, with its place of origin for error messages, such as `backup.ndjson:12`. */
export type MetricsRecord = { readonly place: string } & (
  | { readonly kind: 'software'; readonly software: SoftwareFields }
  | { readonly kind: 'plugin'; readonly plugin: PluginFields }
  | { readonly kind: 'oldName'; readonly oldName: OldName }
  | { readonly kind: 'chart'; readonly pluginId: number; readonly chart: Chart }
  | {
      readonly kind: 'data';
      readonly pluginId: number;
      readonly chartId: string;
      /**
       * Time of the data, in Unix milliseconds, at which the history of the chart records it too. Only for
       * charts of shares.
       */
      readonly at?: number;
      /**
       * Parses the data by the chart type, which is unknown until the chart is found. Points are in strictly
       * ascending order of time.
       * @throws AppError `invalid` if the data does not match the schema of the type.
       */
      readonly dataFor: (typeName: string) => ChartData;
    }
  /** Shares of a chart at some times; does not change what the chart shows. */
  | {
      readonly kind: 'history';
      readonly pluginId: number;
      readonly chartId: string;
      /**
       * Parses the history by the chart type.
       * @throws AppError `invalid` if the type has no shares, or the shares do not fit the type.
       */
      readonly historyFor: (typeName: string) => Columns;
    }
  | { readonly kind: 'event'; readonly pluginId: number; readonly event: PluginEvent }
  /** Records that something was removed. It deletes nothing, and its plugin or chart need not exist. */
  | { readonly kind: 'removal'; readonly removal: Removal }
  /** Start of a source that knows which version its archive needs. */
  | { readonly kind: 'archive'; readonly version: ArchiveVersion }
  /** End of a complete source: all global plugins must exist by now. */
  | { readonly kind: 'end' }
);

/** Source of records, in the order that stores require. */
export interface RecordSource {
  /**
   * Yields all records in batches of bounded size; the last record is `end`.
   * @throws AppError `invalid`, placed at the record that cannot be read.
   */
  records(): AsyncIterable<readonly MetricsRecord[]>;
}

const batchSize = 64;

/** Groups records into batches. */
export function* batchRecords(records: Iterable<MetricsRecord>): Generator<readonly MetricsRecord[]> {
  let batch: MetricsRecord[] = [];
  for (const record of records) {
    batch.push(record);
    if (batch.length === batchSize) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
