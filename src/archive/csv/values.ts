/** Parses values of CSV files as people and spreadsheets of several countries write them. */
import { AppError, quote } from '../../model/app-error.ts';
import type { Delimiter } from './first-line.ts';
import type { DateOrder } from './timestamps.ts';

/** The mark before decimals. */
export type DecimalMark = '.' | ',';

/** The rules for values. */
export interface ValueOptions {
  /** A point unless given; then what may be thousands or decimals is refused. */
  readonly decimal?: DecimalMark | undefined;
  /** The order of dates that are not ISO 8601. */
  readonly dates?: DateOrder | undefined;
}

const plainNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const wholeNumber = /^-?\d+$/;

// Digits, in groups of three or as in India, decimals and an exponent. U+FFFD stands for a space or an apostrophe of an older encoding.
const writtenNumber =
  /^[-−]?(?:\d+|\d{1,3}([.,'’\p{Zs}\uFFFD])\d{3}(?:\1\d{3})*|\d\d?(,)\d\d(?:,\d\d)*,\d{3})(?:([.,])\d+)?(?:[eE][+-]?\d+)?$/u;

/** One to three digits, a mark and three digits: thousands or decimals. */
const ambiguousNumber = /^[-−]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Makes a parser of values for one file; it throws AppError `invalid` for a text that is no number, or two. */
export function valueParser(
  { decimal, dates }: ValueOptions,
  delimiter: Delimiter,
): (text: string) => number {
  // If commas separate columns, decimals have a point, except in files from countries with decimal commas whose spreadsheets were set to commas.
  const isPointCertain = decimal === '.' || (decimal === undefined && delimiter === ',' && dates !== 'dmy');
  const simple = isPointCertain ? plainNumber : wholeNumber;
  return (text) => {
    const value = Number(simple.test(text) ? text : normalize(text, decimal));
    // -0 becomes 0, as in an archive.
    if (Number.isFinite(value)) return value + 0;
    throw notNumber(text);
  };
}

/** Writes a number as JavaScript does. */
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
