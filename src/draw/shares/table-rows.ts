/** Reads the data of a chart type that nobody knows as rows and columns of text. */

/** A table: cells are compact JSON, strings without their quotation marks. */
export interface Table {
  /** Empty for rows that need no heading. */
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** How many rows the data has; `rows` are the first of them. */
  readonly rowCount: number;
}

/** The bounds of what is read: more is never drawn. */
export interface TableBounds {
  readonly rows: number;
  readonly columns: number;
}

/**
 * Objects become rows with their members as columns, arrays become rows of cells, an object becomes rows of key and
 * value.
 */
export function tableRows(data: object, { rows, columns }: TableBounds): Table {
  if (!Array.isArray(data)) {
    // Not the entries of all: of tens of thousands they take longer than the JSON took to parse.
    const keys = Object.keys(data);
    const first = keys.slice(0, rows).map((key) => [key, cellOf(memberOf(data, key))]);
    return { columns: [], rows: first, rowCount: keys.length };
  }
  const first: unknown[] = data.slice(0, rows);
  const isRecord = first.every((row) => isObject(row) && !Array.isArray(row));
  const keys = isRecord
    ? [...new Set(first.flatMap((row) => Object.keys(Object(row))))].slice(0, columns)
    : [];
  return {
    columns: keys,
    rows: first.map((row) => {
      if (keys.length > 0 && isObject(row)) return keys.map((key) => cellOf(memberOf(row, key)));
      return Array.isArray(row) ? row.slice(0, columns).map(cellOf) : [cellOf(row)];
    }),
    rowCount: data.length,
  };
}

/** No cell shows more characters. */
const maxCellLength = 200;

function cellOf(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, maxCellLength);
}

function memberOf(row: object, key: string): unknown {
  return Object.hasOwn(row, key) ? Reflect.get(row, key) : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
