/** CSV files with what they mean. */
import { readFileSync } from 'node:fs';

/**
 * A file or a text with its options, and either its points, or the line at which it is refused and the words
 * that say so.
 */
interface Expected {
  readonly file?: string;
  readonly text?: string;
  readonly options?: {
    readonly columns?: string;
    readonly delimiter?: ',';
    readonly decimal?: '.' | ',';
    readonly dates?: 'dmy' | 'mdy';
    readonly zone?: string;
    readonly timeUnit?: 's' | 'ms';
  };
  readonly points?: readonly (readonly [time: string, value: number])[];
  readonly line?: number;
  readonly says?: string;
}

/** The folder of the files. */
export const csvFolder = new URL('files/', import.meta.url);

const expectations: readonly Expected[] = JSON.parse(
  readFileSync(new URL('expected.json', csvFolder), 'utf8'),
);

/**
 * Every file: as spreadsheets and programs of several countries write them, those that may mean two things,
 * and wrong ones.
 */
export const csvFiles = expectations.map(({ file, text = '', ...expected }) => ({
  ...expected,
  file,
  name: file ?? JSON.stringify(text),
  bytes: file === undefined ? Buffer.from(text) : readFileSync(new URL(file, csvFolder)),
}));
