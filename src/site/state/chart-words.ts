/** The titles and the names of charts that are compared or added up. */
import { foldText } from '../../model/names.ts';
import type { CompareMode } from './chart-state.ts';

/** A line and its plugin. */
interface NamedLine {
  readonly plugin: {
    readonly id: number;
    readonly name: string;
    readonly software: { readonly name: string };
    readonly isGlobal?: boolean;
  };
  readonly chart: { readonly chartId: string; readonly title: string };
}

/** Titles of the charts of servers and players, whose own titles repeat the name of the plugin. */
const countTitles = new Map([
  ['servers', 'Servers'],
  ['players', 'Players'],
]);

/** The title of a chart beside the name of its plugin. */
export function titleBesideName({ chartId, title }: NamedLine['chart']): string {
  return countTitles.get(chartId) ?? title;
}

/** The subject that all lines share: `Players`, or their common title; undefined if they differ. */
export function subjectOf(lines: readonly NamedLine[]): string | undefined {
  const ids = new Set(lines.map(({ chart }) => chart.chartId));
  const titles = new Set(lines.map(({ chart }) => titleBesideName(chart)));
  return ids.size === 1 && titles.size === 1 ? [...titles][0] : undefined;
}

/** The title of a comparison: `Players`, `Players, added up`. */
export function comparisonTitle(lines: readonly NamedLine[], mode: CompareMode): string {
  const subject = subjectOf(lines) ?? 'Comparison';
  return mode === 'sum' ? `${subject}, added up` : subject;
}

/**
 * Gives the lines names, as short as possible: platforms for one plugin on several, titles for the charts of
 * one plugin.
 */
export function withNames<Line extends NamedLine>(
  lines: readonly Line[],
): readonly (Line & { readonly name: string })[] {
  const countOf = (value: (line: NamedLine) => unknown) => new Set(lines.map(value)).size;
  const pluginCount = countOf(({ plugin }) => plugin.id);
  const hasOneChart = countOf(({ chart }) => chart.chartId) === 1;
  const arePlatforms =
    pluginCount > 1 &&
    countOf(({ plugin }) => foldText(plugin.name)) === 1 &&
    countOf(({ plugin }) => plugin.software.name) === pluginCount;
  const nameOf = ({ plugin, chart }: Line) => {
    const isAmbiguous = lines.some(
      (other) => other.plugin.id !== plugin.id && other.plugin.name === plugin.name,
    );
    const { name: platform } = plugin.software;
    // A global plugin has a technical name.
    const isPlatform = arePlatforms || plugin.isGlobal === true;
    const name = isPlatform ? platform : isAmbiguous ? `${plugin.name} (${platform})` : plugin.name;
    if (hasOneChart) return name;
    const title = titleBesideName(chart);
    return pluginCount === 1 || title.includes(plugin.name) ? title : `${name}: ${title}`;
  };
  return lines.map((line) => ({ ...line, name: nameOf(line) }));
}

/** The common title of charts that are added up, or a word for the sum, as a label and as a title. */
export function namesOfSum(charts: readonly { readonly title: string }[]): { label: string; title: string } {
  const [label = '', ...others] = new Set(charts.map(({ title }) => title));
  return others.length === 0 ? { label, title: `${label}, added up` } : { label: 'Sum', title: 'Sum' };
}
