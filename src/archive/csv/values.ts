/** Parses the values of CSV files as people and spreadsheets of various countries write them. */
import { AppError, quote } from '../../model/app-error.ts';
import type { Delimiter } from './first-line.ts';
import type { DateOrder } from './timestamps.ts';

/** Decimal separator. */
export type DecimalMark = '.' | ',';

/** Options for parsing values. */
export interface ValueOptions {
  /**
   * Decimal separator; a point by default, and then numbers that could have a thousands separator are
   * refused.
   */
  readonly decimal?: DecimalMark | undefined;
  /** Order of day and month in dates that are not ISO 8601. */
  readonly dates?: DateOrder | undefined;
}

const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const wholeNumber = /^-?\d+$/;

// Matches digits, plain or in groups of three or as in India, with optional decimals and exponent. U+FFFD
// stands for a space or an apostrophe in an older encoding.
const writtenNumber =
  /^[-−]?(?:\d+|\d{1,3}([.,'’\p{Zs}\uFFFD])\d{3}(?:\1\d{3})*|\d\d?(,)\d\d(?:,\d\d)*,\d{3})(?:([.,])\d+)?(?:[eE][+-]?\d+)?$/u;

/** Matches one to three digits, a separator and three digits: thousands or decimals. */
const ambiguousNumber = /^[-−]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Makes a value parser for one file. The parser throws AppError `invalid` if a text is not a number, or could
 * be read as two different numbers.
 */
export function valueParser(
  { decimal, dates }: ValueOptions,
  delimiter: Delimiter,
): (text: string) => number {
  // If commas separate columns, decimals use a point. The exception is files from countries with decimal
  // commas whose spreadsheets use comma as the delimiter.
  const isPointCertain = decimal === '.' || (decimal === undefined && delimiter === ',' && dates !== 'dmy');
  const simple = isPointCertain ? plainNumber : wholeNumber;
  return (text) => {
    const value = Number(simple.test(text) ? text : normalize(text, decimal));
    // Adding 0 turns -0 into 0, as in archives.
    if (Number.isFinite(value)) return value + 0;
    throw notNumber(text);
  };
}

/** Converts a number to JavaScript notation. */
function normalize(text: string, decimal: DecimalMark | undefined): string {
  const [written, triple, group = triple, mark] = writtenNumber.exec(text) ?? [];
  if (written === undefined || (mark !== undefined && mark === group)) throw notNumber(text);
  const usual = decimal ?? '.';
  const isAmbiguous = ambiguousNumber.test(text);
  if (isAmbiguous && decimal === undefined) throw ambiguous(text);
  if (!isAmbiguous && ((mark ?? usual) !== usual || group === usual))
    throw notNumber(text, `; --decimal ${usual === '.' ? ',' : '.'} reads such numbers`);
  const others = usual === '.' ? /[^\d.eE+-]/g : /[^\d,eE+-]/g;
  return text.replace('−', '-').replaceAll(others, '').replace(',', '.');
}

function ambiguous(text: string): AppError {
  const [thousands, decimals] = [text.replace(/[.,]/, ''), text.replace(',', '.')];
  return new AppError(
    'invalid',
    `value may be ${thousands} or ${decimals}; --decimal . or --decimal , says which; got ${quote(text)}`,
  );
}

function notNumber(text: string, hint = ''): AppError {
  return new AppError(
    'invalid',
    `value must be a finite number such as 12 or -3.5, got ${quote(text)}${hint}`,
  );
}
