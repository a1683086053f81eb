/** The comparison page: the picture, the figures of its lines, and the form that adds one. */

import { html } from 'ghtml';
import type { DirectoryAccess } from '../../../directory/directories.ts';
import { drawComparison } from '../../../draw/line/comparison.ts';
import { rangeNames } from '../../../draw/range.ts';
import type { WorkReader } from '../../../http/work/work-reader.ts';
import type { ChartName } from '../../../model/chart.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { type CompareQuery, compareAddress, compareModes } from '../../address/compared-charts.ts';
import { comparisonTitle, namesOf } from '../../charts/comparison-words.ts';
import { type LineFigures, loadLineFigures } from '../../charts/line-figures.ts';
import type { ShapesOfLine } from '../../charts/line-shapes.ts';
import { latestSum, loadComparison, shapesOfComparison } from '../../charts/load-comparison.ts';
import { cutWords } from '../../charts/load-line.ts';
import { takeSteps } from '../../charts/steps.ts';
import { inSnapshot } from '../../snapshot.ts';
import { renderPage } from '../page.ts';
import { rangeLabel } from '../words.ts';
import { renderCompareForm } from './compare-form.ts';
import { renderCompareLegend } from './compare-legend.ts';
import { renderComparisonSubject, renderPlatformsSubject } from './compare-subject.ts';

/** Sizes for wide windows, medium ones and phones. The pictures are inline, so that the style of the page reaches them. */
const sizes = [
  { width: 1120, height: 440, className: 'wide' },
  { width: 760, height: 400, className: 'medium' },
  { width: 400, height: 400, className: 'narrow' },
] as const;

/** Renders the document. */
export async function renderComparePage(
  reader: WorkReader,
  { query, origin }: { readonly query: CompareQuery; readonly origin: string },
  access: DirectoryAccess,
): Promise<string> {
  const { found, loaded, figures, form } = await inSnapshot(reader, async (view) => ({
    ...(await loadComparison(view, { ...query, pictures: sizes }, access.turns)),
    figures: await loadFigures(view, query.charts),
    form: await renderCompareForm(view, query, access),
  }));
  const names = namesOf(found);
  const shapes = await takeSteps(shapesOfComparison(loaded, query.mode, sizes), access.turns);
  if (found.length === 0) {
    const head = { title: 'Compare plugins', description: lead, origin };
    const heading = html`<h1>${head.title}</h1>
<p class="by">${lead}</p>
`;
    return renderPage(head, heading + form);
  }
  const title = comparisonTitle(found, query.mode) + cutWords(loaded.lines);
  const sum = query.mode === 'sum' ? latestSum(shapes) : undefined;
  const subject =
    (query.mode === 'sum' ? renderPlatformsSubject(found) : undefined) ??
    renderComparisonSubject(title, names);
  const description = `${title}: ${names.join(', ')}.`;
  return renderPage(
    { title: subject.title, description, origin },
    html`!${subject.heading}!${choices(query)}<div class="comparison">!${pictures({ title, names, shapes }, query)}</div>
!${renderCompareLegend(found, { query, names, figures, sum })}!${form}`,
  );
}

async function loadFigures(
  view: MetricsView,
  charts: readonly ChartName[],
): Promise<readonly (LineFigures | undefined)[]> {
  const figures: (LineFigures | undefined)[] = [];
  for (const { pluginId, chartId } of charts) figures.push(await loadLineFigures(view, pluginId, chartId));
  return figures;
}

const lead = 'Servers, players and other lines of up to ten plugins in one chart.';

function pictures(
  {
    title,
    names,
    shapes,
  }: {
    readonly title: string;
    readonly names: readonly string[];
    readonly shapes: readonly ShapesOfLine[];
  },
  { mode, range }: CompareQuery,
): string[] {
  const isSum = mode === 'sum';
  return sizes.map(({ width, height, className }, index) => {
    const lines = shapes.flatMap((each, line) => {
      const shape = each[index];
      return shape === undefined ? [] : [{ name: isSum ? 'Sum' : (names[line] ?? ''), shape }];
    });
    const svg = drawComparison(
      { title, lines, mode: isSum ? 'absolute' : mode, range },
      { width, height, theme: 'auto', hasStyle: false, idPrefix: className },
    );
    return `<div class="${className}">${svg}</div>`;
  });
}

const modeLabels = { absolute: 'Values', indexed: 'Indexed', sum: 'Sum' } as const;

function choices(query: CompareQuery): string {
  const link = (label: string, changed: CompareQuery, isCurrent: boolean) =>
    html`<a href="${compareAddress({ ...changed, add: '' })}"!${isCurrent ? ' aria-current="true"' : ''}>${label}</a>`;
  return html`<div class="toolbar">
<nav class="ranges" aria-label="Mode">!${compareModes.map((mode) => link(modeLabels[mode], { ...query, mode }, mode === query.mode))}</nav>
<nav class="ranges" aria-label="Range">!${rangeNames.map((range) => link(rangeLabel(range), { ...query, range }, range === query.range))}</nav>
</div>
`;
}
