/** The tooltip of a comparison: a row for each line, the nearest one marked. */
import { formatExact, formatShort } from '../../../draw/format.ts';
import { dashOf } from '../../../draw/line/comparison.ts';
import { Paint, seriesInk } from '../../../draw/theme.ts';
import type { ComparedLinesState } from '../../state/compared-lines.ts';
import { svgElement } from '../element/svg-elements.ts';
import { Tip, type TipWords } from '../element/tip.ts';
import { element } from '../elements.ts';
import type { ComparedValue } from './compared-values.ts';

/** A line with the y coordinate of its value. */
export interface PlacedValue extends ComparedValue {
  readonly y: number;
}

/** The values at the cursor. */
interface Reading {
  readonly when: string;
  readonly lines: readonly PlacedValue[];
  readonly nearest: PlacedValue | undefined;
  readonly mode: ComparedLinesState['mode'];
}

/** A tooltip with a row for each line. */
export class LinesTip extends Tip {
  readonly #rows = element('table', { class: 'tip-lines' });
  #reading: Reading | undefined;

  constructor() {
    super();
    this.element.append(this.#rows);
  }

  /** Takes what is shown next, and returns it in words. */
  read(reading: Reading): TipWords {
    this.#reading = reading;
    const { when, lines, nearest, mode } = reading;
    const words = (line: PlacedValue) => `${line.name} ${valueWords(line, mode)}`;
    const others = lines.filter((line) => line.chart !== nearest?.chart).map(words);
    const sum = mode === 'sum' ? [`sum ${formatExact(sumOf(lines))}`] : [];
    return { strong: nearest === undefined ? 'no points' : words(nearest), rest: [when, ...sum, ...others] };
  }

  override show(words: TipWords, x: number, y: number): void {
    const { when = '', lines = [], nearest, mode = 'absolute' } = this.#reading ?? {};
    const rows = lines.map((line) => {
      const row = element(
        'tr',
        { class: line.chart === nearest?.chart ? 'near' : undefined },
        element('td', {}, keyOf(line.place, mode)),
        element('td', { dir: 'auto' }, line.name),
        element('td', {}, valueWords(line, mode)),
      );
      return row;
    });
    if (mode === 'sum')
      rows.push(
        element(
          'tr',
          {},
          element('td'),
          element('td', {}, 'Sum'),
          element('td', {}, formatExact(sumOf(lines))),
        ),
      );
    this.#rows.replaceChildren(...rows);
    super.show({ strong: when, rest: lines.length === 0 ? words.rest.slice(1) : [] }, x, y);
  }
}

function sumOf(lines: readonly ComparedValue[]): number {
  return lines.reduce((sum, { value }) => sum + value, 0);
}

function valueWords({ value, factor }: ComparedValue, mode: ComparedLinesState['mode']): string {
  return mode === 'indexed' ? `${formatShort(value * factor)} (${formatExact(value)})` : formatExact(value);
}

/** The piece of line, or of area, that the drawing has. */
function keyOf(place: number, mode: ComparedLinesState['mode']): SVGElement {
  const paint = new Paint('auto');
  const ink = seriesInk(place);
  const dash = dashOf(place);
  const drawn =
    mode === 'sum'
      ? `<rect width="20" height="10" rx="2"${paint.fill(ink)}/>`
      : `<path d="M0 5h20"${paint.stroke(ink)} stroke-width="2.5"${dash === undefined ? '' : ` stroke-dasharray="${dash}"`}/>`;
  return svgElement(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10">${drawn}</svg>`,
  );
}
