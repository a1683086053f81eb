/** The comparison page: the picture, the figures of its lines, and the form that adds one. */
import { html } from 'ghtml';
import type { Endpoint } from '../../../http/endpoint.ts';
import { type ChartName, chartNamesText } from '../../../model/chart.ts';
import type { MetricsReader, MetricsView } from '../../../model/metrics-reader.ts';
import { comparePath } from '../../address/paths.ts';
import { comparisonTitle, namesOf } from '../../charts/comparison-words.ts';
import { type LineFigures, loadLineFigures } from '../../charts/line-figures.ts';
import { type ShapesOfLine, shapesOf } from '../../charts/line-shapes.ts';
import { stackLines } from '../../charts/line-stack.ts';
import { type FoundChart, findKnownCharts, loadFoundLines } from '../../charts/load-comparison.ts';
import { cutWords } from '../../charts/load-line.ts';
import type { LoadedLines } from '../../charts/load-lines.ts';
import { takeSteps } from '../../charts/steps.ts';
import {
  type CompareQuery,
  compareAddress,
  includesChart,
  parseCompareQuery,
} from '../../state/compare-query.ts';
import { renderPage } from '../page.ts';
import { pageQuestion } from '../page-question.ts';
import { renderCompareForm } from './compare-form.ts';
import { type LegendLine, renderCompareLegend } from './compare-legend.ts';
import { renderCompareLinks } from './compare-links.ts';
import { compareSizes, type DrawnLine, renderComparePictures } from './compare-pictures.ts';
import { renderComparisonSubject, renderPlatformsSubject } from './compare-subject.ts';
import { renderCompareToolbar } from './compare-toolbar.ts';

/** The comparison page. */
export const compareEndpoint: Endpoint = {
  path: comparePath,
  ask: ({ searchParams, origin }) => {
    const query = parseCompareQuery(searchParams);
    return {
      ...pageQuestion(compareAddress(query), origin),
      size: 'large',
      async *parts(reader) {
        yield await renderComparePage(reader, { query, origin });
      },
    };
  },
};

/** Renders the document. */
async function renderComparePage(
  reader: MetricsReader,
  { query: asked, origin }: { readonly query: CompareQuery; readonly origin: string },
): Promise<string> {
  const { missing, form, ...content } = await reader.read(async (view) => {
    const { found, missing } = await findKnownCharts(view, asked.charts);
    const charts = asked.charts.filter((chart) => !includesChart(missing, chart));
    const query = { ...asked, charts };
    return {
      missing,
      form: await renderCompareForm(view, query),
      ...(await loadContent(view, { query, found })),
    };
  });
  if (content.found.length === 0) {
    const head = { title: 'Compare plugins', description: lead, origin };
    const heading = html`<div id="compared"><h1>${head.title}</h1>
<p class="by">${lead}</p>
</div>
`;
    return renderPage(head, heading + form);
  }
  const { query, found } = content;
  const drawn = await drawContent(content);
  const subject =
    (query.mode === 'sum' ? renderPlatformsSubject(found) : undefined) ??
    renderComparisonSubject(drawn.title, drawn.names);
  const description = `${drawn.title}: ${drawn.names.join(', ')}.`;
  return renderPage(
    { title: subject.title, description, origin },
    html`<div id="compared">
!${subject.heading}!${missingNote(missing)}!${renderCompareToolbar(query)}!${drawn.pictures}!${renderCompareLinks(query, drawn)}!${renderCompareLegend(drawn.legend, { query, sum: drawn.sum })}</div>
!${form}`,
  );
}

const lead = 'Servers, players and other lines of up to ten plugins in one chart.';

/** The charts that exist, with what has been loaded of them. */
interface CompareContent {
  readonly query: CompareQuery;
  readonly found: readonly FoundChart[];
  /** Those that are not hidden. */
  readonly loaded: LoadedLines;
  readonly figures: readonly (LineFigures | undefined)[];
}

async function loadContent(
  view: MetricsView,
  { query, found }: Pick<CompareContent, 'query' | 'found'>,
): Promise<CompareContent> {
  const shown = found.filter((_, index) => !isHidden(query, index));
  const request = { mode: query.mode, range: query.window, pictures: compareSizes };
  const loaded = await loadFoundLines(view, shown, request);
  const figures: (LineFigures | undefined)[] = [];
  for (const chart of query.charts) figures.push(await loadLineFigures(view, chart));
  return { query, found, loaded, figures };
}

/** Draws the lines that are not hidden, and says which have no points. */
async function drawContent({ query, found, loaded, figures }: CompareContent) {
  const names = namesOf(found);
  const title = comparisonTitle(found, query.mode) + cutWords(loaded.lines);
  const places = found.flatMap((_, place) => (isHidden(query, place) ? [] : [place]));
  const nameAt = (place: number) => names[place] ?? '';
  const isSum = query.mode === 'sum';
  const stacks = isSum
    ? await takeSteps(stackLines(loaded, { title, names: places.map(nameAt), pictures: compareSizes }))
    : undefined;
  const shapes: readonly ShapesOfLine[] = isSum ? [] : await takeSteps(shapesOf(loaded, compareSizes));
  const lines = places.map((place, rank): DrawnLine => {
    const chart = chartNamesText(query.charts.slice(place, place + 1));
    // The areas of a stack have the colours of their ranks.
    return { chart, name: nameAt(place), place: isSum ? rank : place, shapes: shapes[rank] ?? [] };
  });
  const hasPoints = (rank: number) =>
    isSum ? reachesWindow(loaded, rank) : (shapes[rank]?.[0]?.pointCount ?? 0) > 0;
  const legend = found.map((chart, place): LegendLine => {
    const rank = places.indexOf(place);
    const isShown = rank !== -1;
    return {
      found: chart,
      name: nameAt(place),
      place: isSum && isShown ? rank : place,
      figures: figures[place],
      isHidden: !isShown,
      isEmpty: isShown && !hasPoints(rank),
    };
  });
  const latest = stacks?.[0]?.shares.map(({ last }) => last);
  const { window } = query;
  const isOfNow =
    typeof window === 'string' || shownFigures(legend).every(({ timestamp }) => timestamp < window.to);
  const sum =
    latest === undefined || stacks?.[0]?.times.length === 0 || !isOfNow
      ? undefined
      : latest.reduce((total, value) => total + value, 0);
  const range = query.window;
  const pictures = renderComparePictures({ title, mode: query.mode, axis: query.axis, range, lines, stacks });
  return { title, names, legend, sum, pictures, lengthMs: loaded.to - loaded.from };
}

/** The figures of the lines that are drawn. */
function shownFigures(legend: readonly LegendLine[]): readonly LineFigures[] {
  return legend.flatMap(({ figures, isHidden: isLeftOut }) => (isLeftOut ? [] : (figures ?? [])));
}

/** True if a line of a sum neither ends before the window nor begins after it. */
function reachesWindow({ lines, from, to }: LoadedLines, rank: number): boolean {
  const line = lines[rank];
  return line !== undefined && 'runs' in line && line.to >= from && line.from <= to;
}

function isHidden({ charts, hidden }: CompareQuery, index: number): boolean {
  const chart = charts[index];
  return chart !== undefined && includesChart(hidden, chart);
}

function missingNote(missing: readonly ChartName[]): string {
  if (missing.length === 0) return '';
  const list = chartNamesText(missing).replaceAll(',', ', ');
  return html`<p class="note" role="note">${missing.length === 1 ? 'This chart does' : 'These charts do'} not exist and ${missing.length === 1 ? 'is' : 'are'} left out: ${list}.</p>
`;
}
