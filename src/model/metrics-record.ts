/** Metrics records: what moves between a source (archive, store, upstream) and a store. */
import type { Chart } from './chart.ts';
import type { ChartData } from './chart-data.ts';
import type { Owner } from './plugin.ts';

/** A software as an archive names it: its global plugin by id alone. */
export interface SoftwareFields {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly globalPluginId: number | null;
}

/** A plugin as an archive names it: its software by id alone. */
export interface PluginFields {
  readonly id: number;
  readonly name: string;
  readonly owner: Owner;
  readonly softwareId: number;
  readonly isGlobal: boolean;
}

/** One record with the place it came from, such as `backup.ndjson:12`, for error messages. */
export type MetricsRecord = { readonly place: string } & (
  | { readonly kind: 'software'; readonly software: SoftwareFields }
  | { readonly kind: 'plugin'; readonly plugin: PluginFields }
  | { readonly kind: 'chart'; readonly pluginId: number; readonly chart: Chart }
  | {
      readonly kind: 'data';
      readonly pluginId: number;
      readonly chartId: string;
      /**
       * The data, read as data of this chart type; the type is known only once the chart is found. Points come
       * in strictly ascending order of time.
       * @throws AppError `invalid` when the data does not have the shape of the type.
       */
      readonly dataFor: (typeName: string) => ChartData;
    }
  /** The source is complete: every open reference must resolve now. */
  | { readonly kind: 'end' }
);

/** Something that records can be read from, in an order that a store can take. */
export interface RecordSource {
  /**
   * All records, in batches of bounded size; the last record is `end`.
   * @throws AppError `invalid` with the place of what cannot be read.
   */
  records(): AsyncIterable<readonly MetricsRecord[]>;
}

const batchSize = 64;

/** Records in batches, as a source hands them out. */
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
