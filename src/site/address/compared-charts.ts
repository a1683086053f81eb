/** Query parameters of comparisons, their pages, pictures and badges: `charts=1337:players,42:players&mode=sum`. */

import { type AxisKind, axisKinds, maxComparedLines } from '../../draw/line/line-layout.ts';
import { malformedQuery, parseParameter, type Query, textUpTo } from '../../http/query-parameter.ts';
import { type ChartName, parseChartName } from '../../model/chart.ts';
import { type CompareMode, compareModes } from './compare-modes.ts';
import { parseChoice } from './query-parameters.ts';

/** Room for ten of the longest plugin and chart ids, with their separators. */
const maxChartsLength = maxComparedLines * 120;

const chartsAllowed = `up to ${maxComparedLines} line charts, such as 1337:players,42:players`;

/**
 * Parses a list of charts, the compared or the hidden ones; empty if it is left out.
 * @throws AppError `invalid` for more than {@link maxComparedLines}, for a chart twice, and for a malformed list.
 */
export function parseCharts(query: Query, parameter: 'charts' | 'hide' = 'charts'): readonly ChartName[] {
  const text = parseParameter(query, parameter, {
    parameter: textUpTo(maxChartsLength),
    fallback: '',
  }).trim();
  if (text === '') return [];
  const parts = text.split(',');
  if (parts.length > maxComparedLines || new Set(parts).size < parts.length)
    throw malformedQuery(parameter, `${chartsAllowed}, each once`, text);
  return parts.map((part) => {
    const name = parseChartName(part);
    if (name === undefined) throw malformedQuery(parameter, chartsAllowed, part);
    return name;
  });
}

/**
 * Parses `charts` where it is required.
 * @throws AppError as {@link parseCharts}, and `invalid` for an empty list.
 */
export function parseSomeCharts(query: Query): readonly ChartName[] {
  const charts = parseCharts(query);
  if (charts.length > 0) return charts;
  throw malformedQuery('charts', `one or ${chartsAllowed}`, '');
}

/**
 * Parses `mode`; `absolute` if it is left out.
 * @throws AppError `invalid` for another word.
 */
export function parseMode(query: Query): CompareMode {
  return parseChoice(query, 'mode', { words: compareModes, fallback: 'absolute' });
}

/**
 * Parses `axis`; `linear` if it is left out. `whole` is linear too: addresses in the wild have it.
 * @throws AppError `invalid` for another word.
 */
export function parseAxis(query: Query): AxisKind {
  return parseChoice(query['axis'] === 'whole' ? {} : query, 'axis', {
    words: axisKinds,
    fallback: 'linear',
  });
}
