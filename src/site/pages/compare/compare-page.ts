/** The comparison page: the picture, the figures of its lines, and the form that adds one. */
import { html } from 'ghtml';
import { lineStep } from '../../../draw/time-step.ts';
import type { Endpoint } from '../../../http/endpoint.ts';
import { type ChartName, chartNamesText } from '../../../model/chart.ts';
import type { MetricsReader, MetricsView } from '../../../model/metrics-reader.ts';
import { comparePath } from '../../address/paths.ts';
import { comparisonTitle, namesOf } from '../../charts/comparison-words.ts';
import { type LineFigures, loadLineFigures } from '../../charts/line-figures.ts';
import { type LoadedStack, loadStack, stackToDraw } from '../../charts/line-stack.ts';
import { type FoundChart, findKnownCharts } from '../../charts/load-comparison.ts';
import { type LoadedLines, loadLines } from '../../charts/load-lines.ts';
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
  const drawn = drawContent(content);
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
  readonly lines?: LoadedLines;
  readonly stack?: LoadedStack;
  readonly figures: readonly (LineFigures | undefined)[];
}

async function loadContent(
  view: MetricsView,
  { query, found }: Pick<CompareContent, 'query' | 'found'>,
): Promise<CompareContent> {
  const shown = found.flatMap(({ chart }, index) => (isHidden(query, index) ? [] : [chart]));
  const range = query.window;
  const loaded =
    query.mode === 'sum'
      ? { stack: await loadStack(view, shown, { range, width: compareSizes[0].width }) }
      : { lines: await loadLines(view, shown, { range, pictures: compareSizes }) };
  const figures: (LineFigures | undefined)[] = [];
  for (const { chart } of found) figures.push(await loadLineFigures(view, chart.uid));
  return { query, found, ...loaded, figures };
}

/** Draws the lines that are not hidden, and says which have no points. */
function drawContent({ query, found, lines: loaded, stack: loadedStack, figures }: CompareContent) {
  const names = namesOf(found);
  const { mode, axis, window: range } = query;
  const title = comparisonTitle(found, mode);
  const places = found.flatMap((_, place) => (isHidden(query, place) ? [] : [place]));
  const nameAt = (place: number) => names[place] ?? '';
  const stack = loadedStack && stackToDraw(loadedStack, { title, names: places.map(nameAt) });
  const lines = places.map((place, rank): DrawnLine => {
    const chart = chartNamesText(query.charts.slice(place, place + 1));
    // The areas of a stack have the colours of their ranks.
    const colour = stack === undefined ? place : rank;
    return { chart, name: nameAt(place), place: colour, shapes: loaded?.shapes[rank] ?? [] };
  });
  const hasPoints = (rank: number) =>
    (loadedStack?.lines[rank]?.times.length ?? loaded?.shapes[rank]?.[0]?.pointCount ?? 0) > 0;
  const legend = found.map((chart, place): LegendLine => {
    const rank = places.indexOf(place);
    const isShown = rank !== -1;
    return {
      found: chart,
      name: nameAt(place),
      place: stack !== undefined && isShown ? rank : place,
      figures: figures[place],
      isHidden: !isShown,
      isEmpty: isShown && !hasPoints(rank),
    };
  });
  const isOfNow =
    typeof range === 'string' || shownFigures(legend).every(({ timestamp }) => timestamp < range.to);
  const sum =
    stack === undefined || stack.times.length === 0 || !isOfNow
      ? undefined
      : stack.shares.reduce((total, { last }) => total + last, 0);
  const { from = 0, to = 0 } = loadedStack ?? loaded ?? {};
  const lengthMs = to - from;
  const step = loadedStack?.step ?? lineStep(lengthMs, compareSizes[0].width) ?? null;
  const pictures = renderComparePictures({ title, mode, axis, range, step, lines, stack });
  return { title, names, legend, sum, pictures, lengthMs };
}

/** The figures of the lines that are drawn. */
function shownFigures(legend: readonly LegendLine[]): readonly LineFigures[] {
  return legend.flatMap(({ figures, isHidden: isLeftOut }) => (isLeftOut ? [] : (figures ?? [])));
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
