/** The words of a comparison: its title, and the names of its lines. */
import type { CompareMode, CompareQuery } from './compare-query.ts';

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
