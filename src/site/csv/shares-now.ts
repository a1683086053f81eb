/** The shares of a pie, a map or bars now, as rows with a header first. */
import { countryName } from '../../draw/shares/country-name.ts';
import type { DataForm } from '../../model/chart-types.ts';
import type { Cell } from '../../model/csv-row.ts';
import { groupsIn, type ShareValue } from '../../model/data-shares.ts';

type Row = readonly Cell[];

/** The rows of the shares of a chart. `settings` are those of the chart; of bars they may name the columns. */
export function* sharesNow(
  form: DataForm,
  { shares, settings }: { readonly shares: readonly ShareValue[]; readonly settings: unknown },
): Generator<Row> {
  if (form === 'bars') return yield* barRows(shares, settings);
  if (form === 'map') yield ['code', 'country', 'value'];
  else yield form === 'drilldown' ? ['name', 'part', 'value'] : ['name', 'value'];
  for (const [{ group, name }, value] of shares)
    if (form === 'map') yield [name, countryName(name), value];
    else yield group === null ? [name, value] : [group, name, value];
}

/** Most columns for the values of bars. Each bar has all columns, so a few long ones would fill gigabytes. */
const maxBarColumns = 1000;

/** As many columns as the longest bar has values, up to {@link maxBarColumns}; if there are more, the last column says so. */
function* barRows(shares: readonly ShareValue[], settings: unknown): Generator<Row> {
  const bars = groupsIn(shares);
  let count = 1;
  for (const bar of bars) count = Math.max(count, bar.shares.length);
  const names = namesIn(settings);
  const columns = Array.from({ length: Math.min(count, maxBarColumns) }, (_, index) => {
    const name = names[index];
    return typeof name === 'string' && name !== '' ? name : count === 1 ? 'value' : `value ${index + 1}`;
  });
  const cut = count - columns.length;
  yield ['name', ...columns, ...(cut > 0 ? [`(cut here: ${cut} more values)`] : [])];
  for (const bar of bars)
    yield [bar.name, ...columns.map((_, index) => bar.shares[index]?.[1]), ...(cut > 0 ? [undefined] : [])];
}

function namesIn(settings: unknown): readonly unknown[] {
  const isObject = typeof settings === 'object' && settings !== null && 'barNames' in settings;
  return isObject && Array.isArray(settings.barNames) ? settings.barNames : [];
}
