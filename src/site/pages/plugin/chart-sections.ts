/** The charts of a page by section, with the ladder of versions and the table of releases. */
import { html } from 'ghtml';
import { formOf } from '../../../model/chart-types.ts';
import { nextTurn } from '../../../runtime/next-turn.ts';
import type { VersionInsights } from '../../../series/version-lines.ts';
import { type PageState, pageParameters } from '../../state/page-state.ts';
import type { ListedChart } from '../chart-article.ts';
import { renderLadder } from './version-ladder.ts';

/** The sections, by what the ids of their elements begin with: no chart has an id like it. */
const sectionTitles = {
  '-usage': 'Usage',
  '-versions': 'Versions',
  '-releases': 'Releases',
  '-servers': 'Servers',
  '-own': 'From the plugin',
} as const;

type SectionId = keyof typeof sectionTitles;

/** Content of the sections. */
interface SectionsContent<Chart extends ListedChart> {
  readonly path: string;
  readonly state: PageState;
  readonly ladder: VersionInsights | undefined;
  readonly isVersions: (chart: Chart) => boolean;
  /** Renders the card of a chart. */
  readonly renderChart: (chart: Chart) => string;
  /** The table of releases as HTML; empty for none. */
  readonly releases: string;
}

/** Rendered sections. */
interface Sections<Chart> {
  readonly html: string;
  readonly titles: ReadonlyArray<readonly [id: SectionId, title: string]>;
  /** The charts in the order of the page. */
  readonly charts: readonly Chart[];
}

/** Number of charts rendered per turn; more would delay other requests too long. */
const chartsPerTurn = 50;

/** Renders the sections that are not empty. */
export async function renderSections<Chart extends ListedChart>(
  charts: readonly Chart[],
  { path, state, ladder, isVersions, renderChart, releases }: SectionsContent<Chart>,
): Promise<Sections<Chart>> {
  const listed = Map.groupBy(charts, (chart) => sectionOf(chart, isVersions(chart)));
  const titles: [SectionId, string][] = [];
  let parts = '';
  let count = 0;
  for (const [id, title] of Object.entries(sectionTitles) as [SectionId, string][]) {
    let articles = '';
    for (const chart of listed.get(id) ?? []) {
      if (++count % chartsPerTurn === 0) await nextTurn();
      articles += renderChart(chart);
      if (chart.chartId === ladder?.chartId) {
        const parameters = pageParameters({ ...state, atLeast: undefined });
        articles += renderLadder(ladder, { title: chart.title, path, parameters, atLeast: state.atLeast });
      }
    }
    const content =
      id === '-releases'
        ? releases
        : articles &&
          html`<div class="charts">
!${articles}</div>`;
    if (content === '') continue;
    titles.push([id, title]);
    parts += html`<section class="part" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
!${content}
</section>
`;
  }
  return { html: parts, titles, charts: titles.flatMap(([id]) => listed.get(id) ?? []) };
}

function sectionOf({ chartId, type, isDefault }: ListedChart, isVersions: boolean): SectionId {
  const isLine = formOf(type) === 'line';
  if (isLine && (isDefault || chartId === 'servers' || chartId === 'players')) return '-usage';
  if (!isDefault) return '-own';
  return isVersions || chartId.endsWith('Version') ? '-versions' : '-servers';
}
