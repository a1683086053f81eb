/** Parses the times and shares of a history record. */
import { AppError, quote } from '../model/app-error.ts';
import { shapeOf } from '../model/data-shapes.ts';
import { hasGroups, hasShares, withoutShares } from '../model/data-shares.ts';
import {
  maxSharesPerRecord,
  orderHistory,
  type ShareHistory,
  type ShareName,
} from '../model/share-history.ts';

/** A share of a history record, as it is in JSON. */
interface Series {
  readonly group?: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/**
 * Parses a line whose fields have the right shapes.
 * @returns a function that makes the history for a chart of a type.
 * @throws AppError `invalid` for columns that do not belong to the times, too many shares, or the same share twice.
 */
export function parseHistory(line: Uint8Array): (typeName: string) => ShareHistory {
  const { times, series } = JSON.parse(Buffer.from(line).toString()) as {
    readonly times: readonly number[];
    readonly series: readonly Series[];
  };
  if (series.length > maxSharesPerRecord)
    throw new AppError('invalid', `series may have ${maxSharesPerRecord} shares, got ${series.length}`);
  refuseWrongLengths(times, series);
  const columns = series.map(({ values }) => Float64Array.from(values, (value) => value ?? 0));
  return (typeName) => {
    if (!hasShares(typeName)) throw withoutShares(typeName);
    const shares = series.map((one, index) => shareFor(typeName, one, index));
    refuseRepeated(shares);
    return orderHistory({ times: Float64Array.from(times), shares, columns });
  };
}

function refuseWrongLengths(times: readonly number[], series: readonly Series[]): void {
  for (const [index, { values }] of series.entries()) {
    if (values.length === times.length) continue;
    const rule = `series[${index}].values must have ${times.length} values, one for each of the times`;
    throw new AppError('invalid', `${rule}; got ${values.length}`);
  }
}

function refuseRepeated(shares: readonly ShareName[]): void {
  const seen = new Set<string>();
  for (const [index, { group, name }] of shares.entries()) {
    const key = JSON.stringify([group, name]);
    if (seen.has(key))
      throw new AppError('invalid', `series[${index}] is the share ${quote(name)} once more`);
    seen.add(key);
  }
}

/** Makes the name of a share. In a drilldown pie, a share without a group is an outer one that has no inner ones. */
function shareFor(typeName: string, { group, name }: Series, index: number): ShareName {
  refuseOtherNames(typeName, name, index);
  if (hasGroups(typeName)) return { group: group ?? name, name };
  if (group === undefined) return { group: null, name };
  const message = `series[${index}].group must be left out, because only drilldown pies have groups; got ${quote(group)}`;
  throw new AppError('invalid', message);
}

/** Refuses a name that the data of the type could not have, such as that of a country that is no code. */
function refuseOtherNames(typeName: string, name: string, index: number): void {
  const { pattern, description } = shapeOf(typeName).shareNameSchema;
  if (pattern === undefined || new RegExp(pattern, 'u').test(name)) return;
  throw new AppError('invalid', `series[${index}].name must be ${description}, got ${quote(name)}`);
}
