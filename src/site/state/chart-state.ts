/** The state of one chart, in attributes of the element and in addresses. */

import { axisKinds, maxComparedLines } from '../../draw/line/line-layout.ts';
import { type ChartName, chartNamesText } from '../../model/catalogue.ts';
import { chartsUpTo, malformedQuery } from '../../model/parameter.ts';
import { type Field, fieldOf, type StateOf, wordField } from './fields.ts';
import { filterField } from './share-filter.ts';
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

/** Lines, perhaps none. */
export const chartsOfLines = chartsField(lineCharts);

/** Charts of shares, perhaps none. */
export const chartsOfShares = chartsField('charts of shares');

/**
 * Modes of a comparison: values, indices (the mean of the first day of each line is 100), or one line that is
 * the sum.
 */
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

/** A comparison without choices that have no effect: the axis of a sum, which is stacked. */
export function linesInUse<Lines extends StateOf<typeof linesFields>>(lines: Lines): Lines {
  return lines.mode === 'sum' ? { ...lines, axis: 'linear' } : lines;
}

/** The views of a chart of shares: its newest data, or its history as areas or as lines. */
export const viewLabels = { now: 'Now', history: 'Over time', lines: 'Lines' } as const;

/** The views of one chart: a chart of versions has a ladder, too. */
export const chartViewLabels = { ...viewLabels, ladder: 'Ladder' } as const;

/** A view of a chart of shares. */
type ChartView = keyof typeof chartViewLabels;

/** The names of {@link chartViewLabels}. */
export const viewNames = Object.keys(chartViewLabels) as readonly ChartView[];

/** A view that all charts of shares have. */
export const sharedViewField = wordField(
  Object.keys(viewLabels) as readonly (keyof typeof viewLabels)[],
  'now',
);

/** The labels of `unit`. */
export const unitLabels = { percent: 'Per cent', count: 'Counts' } as const;

/** The labels of `group`: each version alone, or those of a minor line together. */
export const groupLabels = { none: 'Each', minor: 'Minor lines' } as const;

/** The window of a chart, and the view and the unit of shares. */
export const chartFields = {
  window: windowField(),
  view: wordField(viewNames, 'now'),
  unit: wordField(['percent', 'count'], 'percent'),
  group: wordField(['none', 'minor'], 'none'),
  /** `true` for the period before, as a pale line beside a line. */
  previous: wordField(['false', 'true'], 'false'),
};

/** The state of a chart. */
export type ChartState = StateOf<typeof chartFields>;

/** The names of the attributes of `<plugin-chart>` that say what is shown. */
export const chartAttributeNames: readonly string[] = [
  'range',
  'from',
  'to',
  'view',
  'unit',
  'group',
  'previous',
  'mode',
  'axis',
  'hide',
  'only',
];

/** The state of a `<plugin-chart>`: what it shows, and the shares or lines of it. */
export const elementFields = {
  ...chartFields,
  mode: linesFields.mode,
  axis: linesFields.axis,
  filter: filterField,
};

/** The state of {@link elementFields}. */
export type ElementState = StateOf<typeof elementFields>;

/** True if a chart of this form has a view over time beside that of now. */
export function hasHistoryForm(form: string): boolean {
  return form !== 'line' && form !== 'other';
}

/** A state with some of the views. */
type StateInView<View> = Omit<ChartState, 'view'> & { readonly view: View };

/**
 * The members of a state that have an effect on a chart of this form; on a chart of any form if it is left
 * out.
 */
export function fieldsInUse<View extends ChartView>(
  { window, view, unit, group, previous }: StateInView<View>,
  form?: string,
): Partial<StateInView<View>> {
  const ofLine = form === undefined || form === 'line' ? { window, previous } : {};
  const ofShares = form === undefined || hasHistoryForm(form) ? { group } : {};
  if (view === 'now' || !('group' in ofShares)) return { ...ofLine, ...ofShares };
  return view === 'ladder' ? { view, group } : { ...ofLine, ...ofShares, window, view, unit };
}
