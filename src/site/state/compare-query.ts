/** The state of a comparison, of its page, of its picture, and of the badge of a sum; and its words. */

import { axisKinds, maxComparedLines } from '../../draw/line/line-layout.ts';
import { type ChartName, chartNamesText, parseChartName } from '../../model/chart.ts';
import { chartsUpTo, malformedQuery, maxSearchLength, type Query } from '../../model/parameter.ts';
import { comparePath, type QueryParameters, withQuery } from '../address/paths.ts';
import {
  changed,
  type Field,
  fieldOf,
  named,
  parse,
  type StateOf,
  textField,
  wordField,
  write,
} from './fields.ts';
import { windowField } from './shown-window.ts';

/** A list of charts, each once: `1337:players,42:players`. */
function chartsField(what: string): Field<readonly ChartName[]> {
  return {
    ...fieldOf(chartsUpTo(maxComparedLines, what), []),
    write: (names, name) => (names.length === 0 ? {} : { [name]: chartNamesText(names) }),
  };
}

/** A list of charts that is required. */
export function someChartsField(what: string): Field<readonly ChartName[]> {
  const field = chartsField(what);
  const { allowed, hint } = chartsUpTo(maxComparedLines, what);
  return {
    ...field,
    read(query, name, refuse) {
      const names = field.read(query, name, refuse);
      if (names.length === 0 && refuse === undefined) throw malformedQuery(name, allowed, '', hint);
      return names;
    },
  };
}

const lineCharts = 'line charts';
const charts = chartsField(lineCharts);

/** Modes of a comparison: values, indices (100 at the first point of each line), or one line that is the sum. */
const compareModes = ['absolute', 'indexed', 'sum'] as const;

/** One of {@link compareModes}. */
export type CompareMode = (typeof compareModes)[number];

/** The picture of a comparison. Addresses in the wild have the axis `whole`, which is linear. */
export const linesFields = {
  charts: someChartsField(lineCharts),
  mode: wordField(compareModes, 'absolute'),
  axis: wordField(axisKinds, 'linear', { whole: 'linear' }),
  window: windowField(),
};

/** The page of a comparison. */
export const compareFields = {
  ...linesFields,
  charts,
  /** Some of the charts: lines that are not drawn, and no part of a sum. */
  hidden: named('hide', charts),
  /** Search for plugins to add; blank for no search. */
  add: textField(maxSearchLength),
};

/** The state of a comparison page; all of it is in the address. */
export type CompareQuery = StateOf<typeof compareFields>;

/** Charts, and what differs from the state that a comparison page has at first. */
type ComparedCharts = Pick<CompareQuery, 'charts'> & Partial<CompareQuery>;

/** The state of a page without a query. */
const usual = parse(compareFields, {});

/** Finds a chart in a list. */
export function includesChart(charts: readonly ChartName[], { pluginId, chartId }: ChartName): boolean {
  return charts.some((chart) => chart.pluginId === pluginId && chart.chartId === chartId);
}

/** A comparison without choices that have no effect: the axis of a sum, which is stacked. */
export function linesInUse<Lines extends StateOf<typeof linesFields>>(lines: Lines): Lines {
  return lines.mode === 'sum' ? { ...lines, axis: 'linear' } : lines;
}

/**
 * Parses the query of a comparison page.
 * @throws AppError `invalid` for a parameter that is not allowed.
 */
export function parseCompareQuery(query: Query): CompareQuery {
  return hiddenAmongCharts(parse(compareFields, query));
}

/** The charts of a comparison that are not hidden. */
export function shownCharts({ charts: all, hidden }: CompareQuery): readonly ChartName[] {
  return all.filter((chart) => !includesChart(hidden, chart));
}

/** A comparison with one change, as its links name it in `data-set`: `mode=sum`, or `toggle` or `only` with a chart. */
export function changedComparison(query: CompareQuery, change: string): CompareQuery {
  const [name = '', value = ''] = change.split('=');
  const chart = parseChartName(value);
  if (chart === undefined || (name !== 'toggle' && name !== 'only'))
    return changed(compareFields, query, change);
  const isThere = (each: ChartName) => includesChart([chart], each);
  const others = query.charts.filter((each) => !isThere(each));
  if (name === 'only') return { ...query, hidden: isAlone(query, chart) ? [] : others };
  const isHidden = query.hidden.some(isThere);
  return {
    ...query,
    hidden: isHidden ? query.hidden.filter((each) => !isThere(each)) : [...query.hidden, chart],
  };
}

/** True if a line is the only one that is shown. */
export function isAlone(query: CompareQuery, chart: ChartName): boolean {
  const shown = shownCharts(query);
  return shown.length === 1 && includesChart(shown, chart);
}

/** The query parameters of a comparison page, without defaults. */
export function compareParameters(compared: ComparedCharts): QueryParameters {
  return write(compareFields, hiddenAmongCharts({ ...usual, ...compared }));
}

/** Only charts of a comparison are hidden in it. */
function hiddenAmongCharts(query: CompareQuery): CompareQuery {
  const hidden = query.charts.filter((chart) => includesChart(query.hidden, chart));
  return linesInUse({ ...query, hidden });
}

/** The address of a comparison page. */
export function compareAddress(compared: ComparedCharts): string {
  return withQuery(comparePath, compareParameters(compared));
}

/** A line and its plugin. */
interface NamedLine {
  readonly plugin: {
    readonly id: number;
    readonly name: string;
    readonly software: { readonly name: string };
  };
  readonly chart: { readonly chartId: string; readonly title: string };
}

/** The subject that all lines share: `Players`, or their common title; undefined if they differ. */
export function subjectOf(lines: readonly NamedLine[]): string | undefined {
  const ids = new Set(lines.map(({ chart }) => chart.chartId));
  if (ids.size > 1) return undefined;
  const [id] = ids;
  if (id === 'players') return 'Players';
  if (id === 'servers') return 'Servers';
  const titles = new Set(lines.map(({ chart }) => chart.title));
  return titles.size === 1 ? lines[0]?.chart.title : undefined;
}

/** The title of a comparison: `Players`, `Players, added up`. */
export function comparisonTitle(lines: readonly NamedLine[], mode: CompareMode): string {
  const subject = subjectOf(lines) ?? 'Comparison';
  return mode === 'sum' ? `${subject}, added up` : subject;
}

/** True if the smallest of these latest values looks flat beside the largest: other scales show both. */
export function isScaleOffered({ mode, axis }: CompareQuery, values: readonly number[]): boolean {
  const above = values.filter((value) => value > 0);
  return mode === 'absolute' && axis === 'linear' && Math.max(...above) > 20 * Math.min(...above);
}

/** The names of the lines, as short as possible. */
export function namesOf(lines: readonly NamedLine[]): string[] {
  const hasOneChart = new Set(lines.map(({ chart }) => chart.chartId)).size === 1;
  return lines.map(({ plugin, chart }) => {
    const isAmbiguous = lines.some(
      (other) => other.plugin.id !== plugin.id && other.plugin.name === plugin.name,
    );
    const pluginName = isAmbiguous ? `${plugin.name} (${plugin.software.name})` : plugin.name;
    if (hasOneChart) return pluginName;
    return chart.title.includes(plugin.name) ? chart.title : `${pluginName}: ${chart.title}`;
  });
}
