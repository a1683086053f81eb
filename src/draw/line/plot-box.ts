/** The box for lines: the room that the heading and the labels of the axes leave. */
import { headingHeight, type PictureOptions, sizesOf } from '../picture.ts';
import { measureText } from '../svg.ts';
import type { AxisPlace, PlacedAxis } from './value-axis.ts';

/** The box in which lines are drawn, in pixels. */
export interface PlotBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Options of a plot box. */
interface PlotBoxOptions {
  readonly options: PictureOptions;
  readonly hasNotes: boolean;
  /** Room kept free below the heading, for rows of names; 0 unless given. */
  readonly rowsHeight?: number | undefined;
  /** Makes the vertical axes, once their top and bottom are known. */
  readonly axesFor: (place: AxisPlace) => readonly PlacedAxis[];
  /** Room kept free on the right, for labels at the ends of lines. */
  readonly rightMargin?: number;
}

/** Lays out the box and its axes. */
export function plotBox({ options, hasNotes, axesFor, rowsHeight = 0, rightMargin = 0 }: PlotBoxOptions): {
  readonly box: PlotBox;
  readonly axes: readonly PlacedAxis[];
} {
  const { padding, text: textSize } = sizesOf(options);
  const top = headingHeight(options, hasNotes) + rowsHeight + textSize * 0.5;
  const bottom = Math.max(top + 10, options.height - padding - textSize * 1.3);
  const axes = axesFor({ top, bottom, textSize });
  const roomFor = (side: 'left' | 'right') => {
    const texts = axes
      .filter((axis) => axis.side === side)
      .flatMap(({ ticks }) => ticks.map(({ text }) => text));
    return texts.length === 0 ? 0 : Math.max(...texts.map((text) => measureText(text, textSize))) + 8;
  };
  const left = padding + roomFor('left');
  const right = Math.max(left + 10, options.width - padding - Math.max(roomFor('right'), rightMargin));
  return { box: { left, top, right, bottom }, axes };
}
