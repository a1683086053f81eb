/** The data of an unknown chart type as rows and columns of text. */

/** A table: cells are compact JSON, strings without their quotation marks. */
interface Table {
  /** Empty for rows that need no heading. */
  readonly columns: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** The number of rows in the data; `rows` has the first ones. */
  readonly rowCount: number;
}

/** Limits: no more rows and columns are drawn. */
interface TableBounds {
  readonly rows: number;
  readonly columns: number;
}

/**
 * Makes rows of any array or object. In an array, objects become rows with their members as columns, and arrays become rows of
 * cells; an object becomes rows of key and value.
 */
export function tableRows(data: object, { rows, columns }: TableBounds): Table {
  if (!Array.isArray(data)) {
    // Not `Object.entries`: for tens of thousands it takes longer than parsing the JSON.
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

/** Longest text of a cell in characters. */
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
