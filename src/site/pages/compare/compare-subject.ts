/** The subject of a comparison: its lines, or the plugin whose platforms are added up. */
import { html } from 'ghtml';
import { isSameName } from '../../../model/names.ts';
import { pluginPath } from '../../address/paths.ts';
import { comparisonTitle } from '../../charts/comparison-words.ts';
import type { FoundChart } from '../../charts/load-comparison.ts';
import { heading, name } from '../words.ts';

/** The title of the document and the heading of the page. */
interface ComparisonSubject {
  readonly title: string;
  /** HTML. */
  readonly heading: string;
}

/** Renders the subject of a comparison that is no sum over platforms: the title of its picture. */
export function renderComparisonSubject(title: string, names: readonly string[]): ComparisonSubject {
  return {
    title: `${title}: ${names.join(', ')}`,
    heading: html`<p class="kicker">Comparison</p>
<h1>!${name(title)}</h1>
`,
  };
}

/** Renders the subject of a sum over the platforms of one plugin, with links to its pages; undefined for another sum. */
export function renderPlatformsSubject(found: readonly FoundChart[]): ComparisonSubject | undefined {
  const [first, ...others] = found;
  if (first === undefined || others.length === 0) return undefined;
  const isOnePlugin = others.every(
    ({ plugin, chart }) =>
      plugin.owner.id === first.plugin.owner.id &&
      isSameName(plugin.name, first.plugin.name) &&
      plugin.software.id !== first.plugin.software.id &&
      chart.chartId === first.chart.chartId,
  );
  if (!isOnePlugin) return undefined;
  const title = comparisonTitle(found, 'sum');
  const platforms = found.map(
    ({ plugin }) => html`<a href="${pluginPath(plugin)}">!${name(plugin.software.name)}</a>`,
  );
  return {
    title: `${first.plugin.name} on all platforms: ${title}`,
    heading: html`<p class="kicker">Sum over platforms</p>
!${heading(first.plugin.name)}<p class="by">!${name(title)}: !${platforms.join(', ')}</p>
`,
  };
}
