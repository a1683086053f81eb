/** The titles and the names of charts that are compared or added up. */
import type { CompareMode } from './chart-state.ts';

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

/** The common title of charts that are added up, or a word for the sum, as a label and as a title. */
export function namesOfSum(charts: readonly { readonly title: string }[]): { label: string; title: string } {
  const [label = '', ...others] = new Set(charts.map(({ title }) => title));
  return others.length === 0 ? { label, title: `${label}, added up` } : { label: 'Sum', title: 'Sum' };
}
