/**
 * Pictures of several charts, as SVG and PNG: `/embed/lines.svg?charts=1337:players,42:players&mode=sum` has
 * lines or their sum, stacked by line; `/embed/shares.svg?charts=1337:os,42:os` charts of shares of one form,
 * added up by name.
 */
import { drawChart, drawHistory, lineShapeOf } from '../../draw/chart.ts';
import { drawComparison } from '../../draw/line/comparison.ts';
import { drawMessage, noPointsIn } from '../../draw/message.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { findCharts } from '../charts/load-chart.ts';
import { findSharesCharts, loadHistory, loadSharesSum, tooManyNames } from '../charts/load-history.ts';
import { loadLinesIn, loadSum } from '../charts/load-lines.ts';
import { storeSource } from '../charts/store-source.ts';
import { linesFields, linesInUse } from '../state/chart-state.ts';
import { comparisonTitle, withNames } from '../state/chart-words.ts';
import type { StateOf } from '../state/fields.ts';
import { sharesFields, sharesInUse } from '../state/pictures.ts';
import { type DrawnLook, type PictureRequest, pictureBody, pictureExtensions } from './picture.ts';

/** Endpoints of the picture of several lines. */
export const linesImages = imagesOf('/embed/lines', {
  fields: linesFields,
  inUse: linesInUse,
  draw: drawLinesImage,
});

/** Endpoints of the picture of several charts of shares. */
export const sharesImages = imagesOf('/embed/shares', {
  fields: sharesFields,
  inUse: sharesInUse,
  draw: drawSharesImage,
});

/** Makes the endpoints of a picture, one for each extension. */
function imagesOf<State extends object>(
  path: string,
  picture: Pick<PictureRequest<State>, 'fields' | 'inUse' | 'draw'>,
): readonly Endpoint[] {
  return pictureExtensions.map((extension) => ({
    path: `${path}.${extension}`,
    ask: ({ searchParams: query }) => pictureBody({ path, extension, query, ...picture }),
  }));
}

/** Loads and draws the lines; rejects as {@link findCharts} does. */
async function drawLinesImage(
  reader: MetricsReader,
  { charts, mode, axis, window: range, options, ...picture }: StateOf<typeof linesFields> & DrawnLook,
): Promise<string> {
  return reader.read(async (view) => {
    const source = storeSource(view);
    const found = await findCharts(source, charts);
    const title = comparisonTitle(found, mode);
    const lines = withNames(found);
    if (mode === 'sum') {
      const drawn = await loadSum(source, lines, { range, ...picture, title });
      return drawn.times.length === 0
        ? drawMessage(noPointsIn(range), { title, ...options })
        : drawHistory(drawn, { ...options, range, unit: 'count', isSum: true });
    }
    const loaded = await loadLinesIn(source, lines, { range, ...picture });
    const drawn = loaded.lines.map((line, index) => ({
      name: lines[index]?.name ?? '',
      shape: lineShapeOf(line, options.width),
    }));
    return drawComparison({ title, lines: drawn, mode, axis, range }, options);
  });
}

/** Loads the shares and draws them; rejects as {@link findSharesCharts} does. */
async function drawSharesImage(
  reader: MetricsReader,
  {
    charts,
    view: shown,
    unit,
    group,
    window: range,
    width,
    options,
  }: StateOf<typeof sharesFields> & DrawnLook,
): Promise<string> {
  return reader.read(async (view) => {
    const source = storeSource(view);
    const added = await findSharesCharts(source, charts);
    const { title } = added;
    if (shown === 'now') {
      const sum = await loadSharesSum(source, added);
      return sum === undefined
        ? drawMessage(tooManyNames, { title, ...options })
        : drawChart({ ...sum, group }, options);
    }
    const history = await loadHistory(source, added, { range, width, group });
    if (history === undefined) return drawMessage('No history yet.', { title, ...options });
    return drawHistory(history, { ...options, range, unit, areLines: shown === 'lines' });
  });
}
