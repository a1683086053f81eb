/** The words of a comparison: its title, and the names of its lines. */
import type { CompareMode } from '../state/compare-query.ts';
import type { FoundChart } from './load-comparison.ts';

/** The subject that all lines share: `Players`, or their common title; undefined if they differ. */
export function subjectOf(found: readonly FoundChart[]): string | undefined {
  const ids = new Set(found.map(({ chart }) => chart.chartId));
  if (ids.size > 1) return undefined;
  const [id] = ids;
  if (id === 'players') return 'Players';
  if (id === 'servers') return 'Servers';
  const titles = new Set(found.map(({ chart }) => chart.title));
  return titles.size === 1 ? found[0]?.chart.title : undefined;
}

/** The title of a comparison: `Players`, `Players, added up`. */
export function comparisonTitle(found: readonly FoundChart[], mode: CompareMode): string {
  const subject = subjectOf(found) ?? 'Comparison';
  return mode === 'sum' ? `${subject}, added up` : subject;
}

/** The names of the lines, as short as possible. */
export function namesOf(found: readonly FoundChart[]): string[] {
  const hasOneChart = new Set(found.map(({ chart }) => chart.chartId)).size === 1;
  return found.map(({ plugin, chart }) => {
    const isAmbiguous = found.some(
      (other) => other.plugin.id !== plugin.id && other.plugin.name === plugin.name,
    );
    const pluginName = isAmbiguous ? `${plugin.name} (${plugin.software.name})` : plugin.name;
    if (hasOneChart) return pluginName;
    return chart.title.includes(plugin.name) ? chart.title : `${pluginName}: ${chart.title}`;
  });
}
