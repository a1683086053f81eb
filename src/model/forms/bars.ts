/**
 * Bars: `[{"name": string, "data": [number, …]}, …]`. A bar with several values is a group of shares, and has
 * no history.
 */
import type { Cell } from '../csv-row.ts';
import { latestForm } from './chart-form.ts';
import { listOf, numberSchema, record, shareTextSchema } from './schemas.ts';
import { entriesIn, groupsIn, listIn, type ShareValue, shareIn } from './share-values.ts';

/** The form of bars. */
export const barsForm = latestForm({
  dataSchema: listOf(
    record({ name: shareTextSchema, data: listOf(numberSchema, 'an array of numbers') }),
    'an array of {"name": string, "data": [number, …]}',
  ),
  shares: {
    isGrouped: false,
    parse: (data) =>
      entriesIn(data).flatMap(({ name, data: list }) => {
        const values = listIn(list);
        return values.length === 1
          ? shareIn(null, name, values[0])
          : values.flatMap((value, index) => shareIn(name, `value ${index + 1}`, value));
      }),
    render: (shares) => shares.map(([{ name }, value]) => ({ name, data: [value] })),
    valueCounts: (data) => entriesIn(data).map(({ data: list }) => listIn(list).length),
    rows: barRows,
  },
});

/** Most columns for the values of bars. Each bar has all columns, so a few long ones would fill gigabytes. */
const maxBarColumns = 1000;

/**
 * A row for each bar, below a header with the names in the settings of the chart. The longest bar sets the
 * number of columns, up to {@link maxBarColumns}; if there are more, the last column says so.
 */
function* barRows(shares: readonly ShareValue[], settings: unknown): Generator<readonly Cell[]> {
  const bars = groupsIn(shares);
  let count = 1;
  for (const bar of bars) count = Math.max(count, bar.shares.length);
  const { barNames } = Object(settings) as { readonly barNames?: unknown };
  const columns = Array.from({ length: Math.min(count, maxBarColumns) }, (_, index) => {
    const name: unknown = Array.isArray(barNames) ? barNames[index] : '';
    return typeof name === 'string' && name !== '' ? name : count === 1 ? 'value' : `value ${index + 1}`;
  });
  const left = count - columns.length;
  yield ['name', ...columns, ...(left > 0 ? [`(cut here: ${left} more values)`] : [])];
  for (const bar of bars)
    yield [bar.name, ...columns.map((_, index) => bar.shares[index]?.[1]), ...(left > 0 ? [undefined] : [])];
}
