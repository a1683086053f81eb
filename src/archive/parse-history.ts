/** Parses the times and shares of a history record. */
import { JsonWalk } from '../json/json-walk.ts';
import { AppError, quote } from '../model/app-error.ts';
import { shapeOf } from '../model/data-shapes.ts';
import { hasGroups, hasShares, withoutShares } from '../model/data-shares.ts';
import {
  maxSharesPerRecord,
  orderHistory,
  type ShareHistory,
  type ShareName,
} from '../model/share-history.ts';
import { NumberList } from '../series/number-list.ts';
import { NumberTexts } from './number-texts.ts';

/** A share of a history record, whose values are still text. */
interface Series {
  readonly group: string | undefined;
  readonly name: string;
  readonly values: NumberTexts;
}

/** The most values that are numbers at the same time: 4 MB. */
const maxCellsPerPart = 500_000;

/** Makes the history of a part for a chart of a type. */
export type HistoryFor = (typeName: string) => ShareHistory;

/**
 * Parses a line whose fields have the right shapes, in parts: a line may have millions of values, which would take four times its size as
 * numbers. The parts follow each other as in the line, so that of several values at the same time the last one is in the later part.
 * @returns at least one part.
 * @throws AppError `invalid` for columns that do not belong to the times, and for too many shares; each part for a chart of a wrong type,
 *   a share that is not one of the type, and the same share twice.
 */
export function parseHistory(line: Uint8Array): readonly [HistoryFor, ...HistoryFor[]] {
  const times = readTimes(new JsonWalk(new JsonWalk(line).find('times') ?? line));
  const seriesJson = new JsonWalk(line).find('series') ?? line;
  const timesPerPart = Math.max(1, Math.floor(maxCellsPerPart / maxSharesPerRecord));
  const series = readSeries(seriesJson, { timeCount: times.length, timesPerPart });
  const partFrom =
    (start: number): HistoryFor =>
    (typeName) => {
      if (!hasShares(typeName)) throw withoutShares(typeName);
      const shares = series.map((one, index) => shareFor(typeName, one, index));
      refuseRepeated(shares);
      const part = times.subarray(start, start + timesPerPart);
      const columns = series.map(({ values }) => values.read(start, part.length));
      return orderHistory({ times: part, shares, columns });
    };
  const partCount = Math.ceil(times.length / timesPerPart);
  const rest = Array.from({ length: Math.max(0, partCount - 1) }, (_, index) =>
    partFrom((index + 1) * timesPerPart),
  );
  return [partFrom(0), ...rest];
}

function readTimes(walk: JsonWalk): Float64Array {
  const times = new NumberList();
  walk.array(() => times.push(walk.number()));
  return times.take();
}

interface SeriesOptions {
  readonly timeCount: number;
  readonly timesPerPart: number;
}

function readSeries(json: Uint8Array, options: SeriesOptions): readonly Series[] {
  const walk = new JsonWalk(json);
  const series: Series[] = [];
  let shareCount = 0;
  walk.array((index) => {
    shareCount++;
    if (index < maxSharesPerRecord) series.push(readShare(walk, index, options));
    else walk.skip();
  });
  if (shareCount > maxSharesPerRecord)
    throw new AppError('invalid', `series may have ${maxSharesPerRecord} shares, got ${shareCount}`);
  return series;
}

function readShare(walk: JsonWalk, index: number, { timeCount, timesPerPart }: SeriesOptions): Series {
  const share: { group?: string; name?: string; values?: NumberTexts } = {};
  walk.object((member) => {
    if (member === 'group' || member === 'name') share[member] = walk.string();
    else {
      const values = new NumberTexts(walk.text(), timesPerPart);
      refuseWrongLength(values.count, { index, timeCount });
      share.values = values;
    }
  });
  const { group, name = '', values = new NumberTexts(noText, timesPerPart) } = share;
  return { group, name, values };
}

const noText = new Uint8Array(0);

function refuseWrongLength(
  valueCount: number,
  { index, timeCount }: { readonly index: number; readonly timeCount: number },
): void {
  if (valueCount === timeCount) return;
  const message = `series[${index}].values must have a value for each of the times; got ${valueCount} values and ${timeCount} times`;
  throw new AppError('invalid', message);
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
