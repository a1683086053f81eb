/** Records: the unit that an archive, a store and another server give, and that a store and an archive take. */
import type { Chart } from './chart.ts';
import type { ChartData } from './chart-data.ts';
import type { Columns } from './columns.ts';
import type { Removal } from './metrics-remover.ts';
import type { OldName, Owner } from './plugin.ts';
import type { PluginEvent } from './plugin-event.ts';

/** The versions of an archive: 3 if it has a removal of a window, otherwise 2 if it has a time of data, a history, an event, an old name or a removal. */
export const archiveVersions = { withoutPast: 1, withPast: 2, withWindows: 3 } as const;

/** A version of an archive. */
export type ArchiveVersion = (typeof archiveVersions)[keyof typeof archiveVersions];

/** A software with the id of its global plugin. */
export interface SoftwareFields {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly globalPluginId: number | null;
}

/** A plugin with the id of its software. */
export interface PluginFields {
  readonly id: number;
  readonly name: string;
  readonly owner: Owner;
  readonly softwareId: number;
  readonly isGlobal: boolean;
}

/** One record, with the place that it came from for error messages, such as `backup.ndjson:12`. */
export type MetricsRecord = { readonly place: string } & (
  | { readonly kind: 'software'; readonly software: SoftwareFields }
  | { readonly kind: 'plugin'; readonly plugin: PluginFields }
  | { readonly kind: 'oldName'; readonly oldName: OldName }
  | { readonly kind: 'chart'; readonly pluginId: number; readonly chart: Chart }
  | {
      readonly kind: 'data';
      readonly pluginId: number;
      readonly chartId: string;
      /** Time of the data, in Unix milliseconds: they are part of the chart's history too. Only charts of shares have one. */
      readonly at?: number;
      /**
       * Parses the data as data of a chart type, which is known only when the chart is found. Points are in strictly
       * ascending order of time.
       * @throws AppError `invalid` for data that does not have the shape of the type.
       */
      readonly dataFor: (typeName: string) => ChartData;
    }
  /** Shares of a chart at some times, without a change of what it shows. */
  | {
      readonly kind: 'history';
      readonly pluginId: number;
      readonly chartId: string;
      /**
       * Parses the history as one of a chart type.
       * @throws AppError `invalid` for a type without shares, and for shares that do not belong to the type.
       */
      readonly historyFor: (typeName: string) => Columns;
    }
  | { readonly kind: 'event'; readonly pluginId: number; readonly event: PluginEvent }
  /** It takes nothing out, and may be of a plugin or a chart that is not there. */
  | { readonly kind: 'removal'; readonly removal: Removal }
  /** The beginning of a source that knows which version an archive of it has. */
  | { readonly kind: 'archive'; readonly version: ArchiveVersion }
  /** The end of a complete source: now every global plugin must exist. */
  | { readonly kind: 'end' }
);

/** A source of records, in an order that a store can take. */
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
