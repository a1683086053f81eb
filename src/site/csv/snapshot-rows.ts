/** The data of a chart that is no line as rows, with a header first. */
import { countryName } from '../../draw/shares/country-name.ts';
import type { DataForm } from '../../model/chart-types.ts';
import type { Cell } from '../../model/csv-row.ts';

type Row = readonly Cell[];
type Members = Readonly<Record<string, unknown>>;

/** The data of a chart. */
interface Snapshot {
  /** In its form, as an import has checked it; of a type that is not known, its JSON. */
  readonly data: unknown;
  /** The settings of the chart; those of bars may name the columns. */
  readonly settings: unknown;
}

/** The rows of a chart, the header first. */
export function* snapshotRows(form: DataForm, { data, settings }: Snapshot): Generator<Row> {
  switch (form) {
    case 'pie':
      yield ['name', 'value'];
      for (const { name, y } of membersOf(data)) yield [cellOf(name), cellOf(y)];
      return;
    case 'drilldown':
      yield ['name', 'part', 'value'];
      return yield* drilldownRows(data);
    case 'map':
      yield ['code', 'country', 'value'];
      for (const { code, value } of membersOf(data))
        yield [cellOf(code), countryName(String(code)), cellOf(value)];
      return;
    case 'bars':
      return yield* barRows(data, settings);
    case 'line':
    case 'other':
      yield ['json'];
      yield [cellOf(data)];
      return;
  }
}

/** A row for each part of a slice, or one for a slice without parts. */
function* drilldownRows(data: unknown): Generator<Row> {
  const { drilldownData, seriesData } = isObject(data) ? data : {};
  const partsById = new Map(membersOf(drilldownData).map(({ id, data: parts }) => [id, listOf(parts)]));
  for (const { name, y, drilldown } of membersOf(seriesData)) {
    const parts = partsById.get(drilldown) ?? [];
    if (parts.length === 0) yield [cellOf(name), undefined, cellOf(y)];
    for (const part of parts) {
      const [partName, value] = listOf(part);
      yield [cellOf(name), cellOf(partName), cellOf(value)];
    }
  }
}

/** As many columns as the longest bar has values, up to {@link maxBarColumns}; if there are more, the last column says so. */
function* barRows(data: unknown, settings: unknown): Generator<Row> {
  const bars = membersOf(data);
  let count = 1;
  for (const { data: values } of bars) count = Math.max(count, listOf(values).length);
  const names = listOf(isObject(settings) ? settings['barNames'] : undefined);
  const columns = Array.from({ length: Math.min(count, maxBarColumns) }, (_, index) => {
    const name = names[index];
    return typeof name === 'string' && name !== '' ? name : count === 1 ? 'value' : `value ${index + 1}`;
  });
  const cut = count - columns.length;
  yield ['name', ...columns, ...(cut > 0 ? [`(cut here: ${cut} more values)`] : [])];
  for (const { name, data: values } of bars) {
    const cells = listOf(values);
    yield [cellOf(name), ...columns.map((_, index) => cellOf(cells[index])), ...(cut > 0 ? [undefined] : [])];
  }
}

/** Most columns for the values of bars. Each bar has all columns, so a few long ones would fill gigabytes. */
const maxBarColumns = 1000;

/** A cell: text and numbers as they are, anything else as JSON. */
function cellOf(value: unknown): Cell {
  return typeof value === 'string' || typeof value === 'number' || value === undefined
    ? value
    : JSON.stringify(value);
}

function membersOf(data: unknown): readonly Members[] {
  return listOf(data).filter(isObject);
}

function listOf(data: unknown): readonly unknown[] {
  return Array.isArray(data) ? data : [];
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
