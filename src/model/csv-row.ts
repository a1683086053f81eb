/** Rows of CSV (RFC 4180) that spreadsheets read as data, never as formulas. */

/** A value of a row: numbers stay numbers, `undefined` is an empty cell. */
export type Cell = string | number | undefined;

/** Byte order mark, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Renders a row with its line end. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/**
 * Characters that start a formula in spreadsheets, even in quoted cells; East Asian versions also accept the
 * full-width forms.
 */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;
const special = /[",\r\n]/;

/** Renders the text of one cell. */
export function cellText(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const harmless = formulaStart.test(cell) ? `'${cell}` : cell;
  return special.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
