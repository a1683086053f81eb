/**
 * Condenses the data of pies, maps and bars to what a picture can show: the largest entries, and the others as one. It takes
 * steps, because data may have tens of thousands of entries that refer to as many others.
 */
import type { DataForm } from '../../model/chart-types.ts';
import type { Steps } from './steps.ts';

/** Most entries to keep; no picture shows so many. */
const maxEntryCount = 500;

/** Most parts of a bar to keep. */
const maxPartCount = 10;

/** Entries handled in one step. */
const entriesPerStep = 4096;

type Members = Readonly<Record<string, unknown>>;

/**
 * Condenses data; small data stays as it is.
 * @param data in its form, as an import has checked it.
 */
export function* condense(form: DataForm, data: unknown): Steps<unknown> {
  switch (form) {
    case 'pie':
      return yield* largest(listOf(data), ({ y }) => numberOf(y), otherSlice);
    case 'drilldown':
      return yield* drilldown(isObject(data) ? data : {});
    case 'map':
      return yield* largest(listOf(data), ({ value }) => numberOf(value), otherCountry);
    case 'bars':
      return yield* largest(
        yield* withFewParts(listOf(data)),
        ({ data: parts }) => sumOf(listOf(parts)),
        otherBar,
      );
    case 'line':
    case 'other':
      return data;
  }
}

function* drilldown({ drilldownData, seriesData }: Members): Steps<unknown> {
  const slices = yield* largest(listOf(seriesData), ({ y }) => numberOf(y), otherSlice);
  const wanted = new Set(slices.map(({ drilldown: id }) => id));
  const lists: Members[] = [];
  let count = 0;
  for (const list of listOf(drilldownData)) {
    if (++count % entriesPerStep === 0) yield;
    if (!wanted.has(list['id'])) continue;
    const parts = Array.isArray(list['data']) ? list['data'] : [];
    const kept = yield* largest<readonly unknown[]>(
      parts,
      (pair) => numberOf(pair[1]),
      (partCount, value) => [othersName(partCount), value],
    );
    lists.push({ ...list, data: kept });
  }
  return { drilldownData: lists, seriesData: slices };
}

/** The largest entries in their order, and after them one for all others. */
function* largest<Entry>(
  entries: readonly Entry[],
  sizeOf: (entry: Entry) => number,
  otherOf: (count: number, value: number) => Entry,
): Steps<readonly Entry[]> {
  if (entries.length <= maxEntryCount) return entries;
  const values = new Float64Array(entries.length);
  for (const [index, entry] of entries.entries()) {
    if (index % entriesPerStep === entriesPerStep - 1) yield;
    values[index] = sizeOf(entry);
  }
  const smallestKept = values.toSorted()[values.length - maxEntryCount] ?? 0;
  yield;
  let room = maxEntryCount - values.reduce((count, value) => count + (value > smallestKept ? 1 : 0), 0);
  let otherCount = 0;
  let otherValue = 0;
  const kept = entries.filter((_, index) => {
    const value = values[index] ?? 0;
    if (value > smallestKept || (value === smallestKept && room-- > 0)) return true;
    otherCount++;
    otherValue += value;
    return false;
  });
  return [...kept, otherOf(otherCount, otherValue)];
}

/** Bars with at most {@link maxPartCount} parts; the last one is the sum of the rest. */
function* withFewParts(bars: readonly Members[]): Steps<readonly Members[]> {
  const few: Members[] = [];
  let count = 0;
  for (const bar of bars) {
    const parts = listOf<unknown>(bar['data']);
    count += 1 + parts.length;
    if (count > entriesPerStep) {
      count = 0;
      yield;
    }
    const rest = parts.length > maxPartCount ? [sumOf(parts.slice(maxPartCount - 1))] : [];
    few.push(rest.length === 0 ? bar : { ...bar, data: [...parts.slice(0, maxPartCount - 1), ...rest] });
  }
  return few;
}

function otherSlice(count: number, y: number): Members {
  return { name: othersName(count), y };
}

function otherCountry(count: number, value: number): Members {
  return { code: othersName(count), value };
}

function otherBar(count: number, value: number): Members {
  return { name: othersName(count), data: [value] };
}

function othersName(count: number): string {
  return `${count} others`;
}

function sumOf(values: readonly unknown[]): number {
  return values.reduce((sum: number, value) => sum + numberOf(value), 0);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function listOf<Entry = Members>(data: unknown): readonly Entry[] {
  return Array.isArray(data) ? data : [];
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}
