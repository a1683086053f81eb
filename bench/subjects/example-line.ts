/** The line that questions about one chart ask for. */
import { type Catalogue, type CatalogueLine, fullLines, slots } from '../data/catalogue.ts';
import { lineValues, missingValue } from '../data/line-values.ts';

/** The first busy line with all its history of which a month is 29 to 30 KB of JSON. */
export function exampleLine(catalogue: Catalogue): CatalogueLine {
  const line = fullLines(catalogue).find((candidate) => candidate.kind === 'busy' && isOrdinary(candidate));
  if (line === undefined) throw new Error(`no line of ${catalogue.name} is as busy as that`);
  return line;
}

function isOrdinary(line: CatalogueLine): boolean {
  const values = lineValues({ ...line, seed: line.uid }).subarray(-slots.month);
  let sizeBytes = 1;
  // "[1735689600000,1234],"
  for (const value of values) if (value !== missingValue) sizeBytes += 17 + String(value).length;
  return sizeBytes >= 29_000 && sizeBytes <= 30_000;
}
