/** A form of chart data: everything that the program knows of it, but its drawing. */
import type { Cell } from '../csv-row.ts';
import { type JsonText, trustedJson } from '../json-text.ts';
import type { Shape } from '../shape.ts';
import { shareTextSchema } from './schemas.ts';
import type { ShareValue } from './share-values.ts';

/** A form of chart data. */
export interface ChartForm {
  /**
   * `points`: points over time, merged by timestamp. `latest`: one JSON text, replaced as a whole. Stores
   * know no more of a form.
   */
  readonly storage: 'points' | 'latest';
  /** JSON Schema of the `/data` response. */
  readonly dataSchema: Shape;
  /** Data of a chart that has not received any. */
  readonly emptyData: JsonText;
  /** JSON Schema of share names. */
  readonly shareNameSchema: Shape;
  /** Undefined for a form without shares, which has no history. */
  readonly shares?: ShareForm;
}

/** Conversion between the data of a form and its shares. */
export interface ShareForm {
  /** True if shares belong to groups. */
  readonly isGrouped: boolean;
  /** Lists the shares of data that matches the schema of the form; entries of another shape are skipped. */
  readonly parse: (data: unknown) => ShareValue[];
  /** Makes data from shares, keeping their order. */
  readonly render: (shares: readonly ShareValue[]) => unknown;
  /** Counts the values of each entry of data, where a form allows several; a history has room for one. */
  readonly valueCounts?: (data: unknown) => readonly number[];
  /** Returns the name of a share for readers, where it is not the name itself. */
  readonly nameOf?: (name: string) => string;
  /** Makes the rows of a CSV file, the header first. @param settings the parsed settings of the chart. */
  readonly rows: (shares: readonly ShareValue[], settings: unknown) => Iterable<readonly Cell[]>;
}

/** A form whose data is replaced as a whole, with the usual rules unless given. */
export function latestForm(
  form: Pick<ChartForm, 'dataSchema' | 'shares'> & Partial<ChartForm>,
): ChartForm & { readonly storage: 'latest' } {
  return { emptyData: trustedJson('[]'), shareNameSchema: shareTextSchema, ...form, storage: 'latest' };
}
