/** The parameters of lines in one chart: which, how, and over which window. */
import { axisKinds, maxComparedLines } from '../../draw/line/line-layout.ts';
import { type ChartName, chartNamesText } from '../../model/chart.ts';
import { chartsUpTo, malformedQuery } from '../../model/parameter.ts';
import { type Field, fieldOf, type StateOf, wordField } from './fields.ts';
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

/** A comparison without choices that have no effect: the axis of a sum, which is stacked. */
export function linesInUse<Lines extends StateOf<typeof linesFields>>(lines: Lines): Lines {
  return lines.mode === 'sum' ? { ...lines, axis: 'linear' } : lines;
}
