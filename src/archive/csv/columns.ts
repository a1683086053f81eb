/** Finds the columns of times and values in the first row of a CSV file. */
import { AppError, quote } from '../../model/app-error.ts';
import type { Delimiter } from './first-line.ts';

/** Columns that hold the points. */
export interface PointColumns {
  readonly time: number;
  readonly value: number;
  /** Total number of columns; further cells of a row must be empty. */
  readonly count: number;
  /** True if the first row is a header. */
  readonly isHeader: boolean;
}

/**
 * Finds the columns in the first row. The row is a header unless its time cell begins like a time.
 * @param wanted both columns by name or number, such as `Date,Players` or `1,3`; required for more than two columns unless they include `timestamp` and `value`.
 * @throws AppError `invalid` if the row lacks these columns.
 */
export function findColumns(
  row: readonly string[],
  delimiter: Delimiter,
  wanted: string | undefined,
): PointColumns {
  const cells = row.map((cell) => cell.trim());
  const filled = cells.findLastIndex((cell) => cell !== '') + 1;
  const isData = (index: number) => beginsLikeTime.test(cells[index] ?? '');
  if (wanted !== undefined) {
    const [time, value] = findWanted(cells, wanted);
    const count = Math.max(filled, time.index + 1, value.index + 1);
    const isHeader = time.isNamed || value.isNamed || !isData(time.index);
    return { time: time.index, value: value.index, count, isHeader };
  }
  const [time, value] = ['timestamp', 'value'].map((name) => findColumn(cells, name)?.index);
  if (time !== undefined && value !== undefined) return { time, value, count: filled, isHeader: true };
  if (row.length > 1 && filled <= 2) return { time: 0, value: 1, count: 2, isHeader: !isData(0) };
  const rule =
    filled > 2
      ? `there are ${filled} columns: --columns TIME,VALUE says which two are meant, by name or number`
      : 'there must be a column of times and one of values, with a comma, a semicolon or a tab between them';
  throw new AppError('invalid', `${rule}; got ${quote(row.join(delimiter))}`);
}

/** Matches a date or a number, even a malformed one: mistaking a data row for a header would lose it. */
const beginsLikeTime = /^[+-]?\d/;

/** Column with the way in which it was found. */
interface FoundColumn {
  readonly index: number;
  /** False if it was found by its number. */
  readonly isNamed: boolean;
}

function findWanted(
  cells: readonly string[],
  wanted: string,
): readonly [time: FoundColumn, value: FoundColumn] {
  const parts = wanted.split(',');
  // A column name may contain commas.
  for (let length = 1; length < parts.length; length++) {
    const time = findColumn(cells, parts.slice(0, length).join(','));
    const value = findColumn(cells, parts.slice(length).join(','));
    if (time !== undefined && value !== undefined && time.index !== value.index) return [time, value];
  }
  const rule = 'must name two columns of the first row, each by its number or by a name that no other has';
  throw new AppError('invalid', `--columns ${wanted} ${rule}; got ${quote(cells.join())}`);
}

/** Finds a column by number, or by name ignoring case; undefined if no column, or more than one, has the name. */
function findColumn(cells: readonly string[], wanted: string): FoundColumn | undefined {
  const number = /^\s*\d{1,5}\s*$/.test(wanted) ? Number(wanted) : 0;
  if (number > 0 && number <= cells.length) return { index: number - 1, isNamed: false };
  const name = wanted.trim().toLowerCase();
  const [index, other] = [...cells.keys()].filter((at) => cells[at]?.toLowerCase() === name);
  return index === undefined || other !== undefined ? undefined : { index, isNamed: true };
}
