/** Rows of CSV (RFC 4180) that spreadsheets read as data, never as formulas. */

/** One value of a row: numbers stay numbers, `undefined` is an empty cell. */
export type Cell = string | number | undefined;

/** The byte order mark, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\uFEFF';

/** The row with its line end. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/** Characters that begin a formula in spreadsheets, even in a quoted cell; the wide forms count in East Asia. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const special = /[",\r\n]/;

/** The text of one cell. */
export function cellText(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const harmless = formulaStart.test(cell) ? `'${cell}` : cell;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
