/** The pictures of a comparison, drawn into its page: lines, or a sum stacked by line. */
import { html } from 'ghtml';
import { layoutHistory, nothingCounted } from '../../../draw/history/draw-history.ts';
import type { HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import { indexFactor, layoutComparison } from '../../../draw/line/comparison.ts';
import type { LinesLayout } from '../../../draw/line/line-layout.ts';
import type { LineShape } from '../../../draw/line/line-shape.ts';
import { renderLines } from '../../../draw/line/render-lines.ts';
import { drawMessage, noPointsIn } from '../../../draw/message.ts';
import type { PictureOptions } from '../../../draw/picture.ts';
import type { Period, StepName } from '../../../model/window.ts';
import type { CompareQuery } from '../../state/compare-query.ts';
import type { ComparedLinesState, PlotState } from '../../state/compared-lines.ts';

/** Sizes for wide windows, medium ones and phones. The pictures are inline, so that the style of the page reaches them. */
export const compareSizes = [
  { width: 1120, height: 440, className: 'wide' },
  { width: 760, height: 400, className: 'medium' },
  { width: 400, height: 480, className: 'narrow' },
] as const;

/** A line that is drawn. */
export interface DrawnLine {
  /** `1337:players`. */
  readonly chart: string;
  readonly name: string;
  readonly place: number;
  /** One for each of {@link compareSizes}. */
  readonly shapes: readonly LineShape[];
}

/** The content of the pictures. */
interface PicturesContent extends Pick<CompareQuery, 'mode' | 'axis'> {
  readonly title: string;
  readonly range: Period;
  readonly step: StepName | null;
  readonly lines: readonly DrawnLine[];
  /** Of a sum, its lines in a stack. */
  readonly stack: HistoryToDraw | undefined;
}

/** Renders the pictures, of which the style shows one. */
export function renderComparePictures(content: PicturesContent): string {
  const { mode, lines, step } = content;
  const state: ComparedLinesState = {
    mode,
    step,
    lines: lines.map(({ chart, name, place, shapes: [shape] }) => ({
      chart,
      name,
      place,
      factor: mode === 'indexed' && shape !== undefined ? indexFactor(shape) : 1,
    })),
  };
  const pictures = compareSizes.map(({ className, ...size }, index) => {
    const options: PictureOptions = { ...size, theme: 'auto', hasStyle: false, idPrefix: className };
    const drawn =
      content.stack === undefined ? drawLines(content, index, options) : drawStack(content, options);
    return html`<div class="${className}"!${drawn.plot === undefined ? '' : html` data-plot="${JSON.stringify(drawn.plot)}"`}>!${drawn.svg}</div>`;
  });
  return html`<div class="comparison" data-lines="${JSON.stringify(state)}">!${pictures}</div>
`;
}

interface DrawnPicture {
  readonly svg: string;
  readonly plot?: PlotState;
}

function drawLines(content: PicturesContent, index: number, options: PictureOptions): DrawnPicture {
  const { title, mode, axis, range } = content;
  const lines = content.lines.flatMap(({ name, place, shapes }) => {
    const shape = shapes[index];
    return shape === undefined ? [] : [{ name, place, shape }];
  });
  const layout = layoutComparison(
    { title, lines, mode: mode === 'indexed' ? mode : 'absolute', axis, range },
    options,
  );
  if (layout === undefined) return { svg: drawMessage(noPoints(content), { ...options, title }) };
  return { svg: renderLines(layout), plot: plotOf(layout, options, axis === 'log') };
}

function drawStack(content: PicturesContent, options: PictureOptions): DrawnPicture {
  const { title, range, stack } = content;
  if (stack === undefined || stack.times.length === 0)
    return { svg: drawMessage(noPoints(content), { ...options, title }) };
  const layout = layoutHistory(stack, { ...options, range, unit: 'count', isSum: true });
  if (layout === undefined) {
    const sentence = nothingCounted(range, { timestamp: stack.to });
    return { svg: drawMessage(sentence, { ...options, title }) };
  }
  return { svg: layout.draw(), plot: plotOf(layout, options, false) };
}

/** The sentence in place of a picture. */
function noPoints({ lines, range }: PicturesContent): string {
  return lines.length === 0 ? 'All lines are hidden.' : noPointsIn(range);
}

function plotOf(
  { box, time, axes: [axis] }: Pick<LinesLayout, 'box' | 'time' | 'axes'>,
  { width }: PictureOptions,
  isLog: boolean,
): PlotState {
  const { low = 0, high = 1 } = axis ?? {};
  const round = (pixels: number) => Math.round(pixels * 10) / 10;
  return {
    width,
    left: round(box.left),
    top: round(box.top),
    right: round(box.right),
    bottom: round(box.bottom),
    from: time.from,
    to: time.to,
    low,
    high,
    isLog: isLog && high > 0 && low > 0,
  };
}
