/** The cursor on a comparison: the values of all lines at the pointer, the nearest line marked. Dragging selects a window. */
import { formatDate, formatDateTime } from '../../../draw/format.ts';
import type { TimeWindow } from '../../../model/window.ts';
import type { ComparedLinesState, PlotState } from '../../state/compared-lines.ts';
import { type ReadableChart, TimeCursor } from '../element/time-cursor.ts';
import { type ComparedValue, type ComparedValues, fetchComparedValues } from './compared-values.ts';
import { LinesTip, type PlacedValue } from './lines-tip.ts';

/** Handlers of the cursor. */
interface CursorActions {
  readonly zoom: (window: TimeWindow) => void;
  readonly zoomOut: () => boolean;
}

/** The cursor of the page. */
export class ComparisonCursor {
  readonly #tip = new LinesTip();
  readonly #cursor: TimeCursor;
  readonly #resizes = new ResizeObserver(() => this.#place());
  #state: ComparedLinesState | undefined;
  #values: ComparedValues | undefined;
  /** The y coordinate of the pointer in the window; undefined if keys move the cursor. */
  #pointerY: number | undefined;

  constructor(actions: CursorActions) {
    this.#cursor = new TimeCursor(this.#tip, actions);
    const target = this.#cursor.element;
    // Before the cursor moves, which reads the words.
    target.addEventListener('pointermove', ({ clientY }) => this.#point(clientY), { capture: true });
    target.addEventListener('pointerdown', ({ clientY }) => this.#point(clientY), { capture: true });
    target.addEventListener('keydown', () => this.#point(undefined), { capture: true });
  }

  /** Covers the comparison that the page has now. */
  show(): void {
    this.#cursor.remove();
    this.#resizes.disconnect();
    const comparison = document.querySelector<HTMLElement>('.comparison');
    const plot = comparison === null ? undefined : plotIn(comparison);
    if (comparison === null || plot === undefined) return;
    // The server of the page has written it.
    this.#state = JSON.parse(comparison.dataset['lines'] ?? '') as ComparedLinesState;
    this.#values = undefined;
    void this.#load(comparison, this.#state, plot.state);
  }

  async #load(comparison: HTMLElement, state: ComparedLinesState, plot: PlotState): Promise<void> {
    // Without values the picture is all there is.
    const values = await fetchComparedValues(state, plot).catch(() => undefined);
    if (values === undefined || values.times.length === 0 || !comparison.isConnected) return;
    this.#values = values;
    comparison.append(this.#cursor.element, this.#tip.element);
    this.#resizes.observe(comparison);
  }

  #point(clientY: number | undefined): void {
    this.#pointerY = clientY;
  }

  /** Places the cursor over the picture that is shown at this width of the window. */
  #place(): void {
    const comparison = this.#cursor.element.parentElement;
    const plot = comparison === null ? undefined : plotIn(comparison);
    if (this.#values === undefined || this.#state === undefined || comparison === null || plot === undefined)
      return;
    const { times, stepMs, valuesAt } = this.#values;
    const { mode } = this.#state;
    const { box, timeAt, xAt, yAt } = plot;
    const placesAt = (index: number) => placeLines(valuesAt(index), mode, yAt);
    const near = (index: number) => {
      const top = this.#cursor.element.getBoundingClientRect().top;
      const y = this.#pointerY === undefined ? undefined : this.#pointerY - top + box.top;
      return nearestLine(placesAt(index), y);
    };
    const readable: ReadableChart = {
      layout: {
        title: comparison.querySelector('title')?.textContent ?? '',
        box,
        time: { from: plot.state.from, to: plot.state.to, ticks: [], xAt, timestampAt: timeAt },
      },
      times,
      stepMs,
      yAt: (index) => near(index)?.y,
      wordsAt: (index) => {
        const time = times[index] ?? 0;
        const when =
          stepMs === 0
            ? formatDateTime(time)
            : `${formatDate(time)}, ${stepMs > 86_400_000 ? 'weekly' : 'daily'} mean`;
        return this.#tip.read({ when, lines: placesAt(index), nearest: near(index), mode });
      },
    };
    this.#cursor.show(readable);
  }
}

/** The picture that is shown, and the scales of its plot in pixels of the page. */
function plotIn(comparison: HTMLElement) {
  const picture = [...comparison.querySelectorAll<HTMLElement>(':scope > [data-plot]')].find((each) =>
    each.checkVisibility(),
  );
  if (picture === undefined) return undefined;
  const state = JSON.parse(picture.dataset['plot'] ?? '') as PlotState;
  const svg = picture.querySelector('svg');
  const [outer, inner] = [comparison.getBoundingClientRect(), (svg ?? picture).getBoundingClientRect()];
  const scale = inner.width / state.width;
  const [x, y] = [inner.left - outer.left, inner.top - outer.top];
  const box = {
    left: x + state.left * scale,
    right: x + state.right * scale,
    top: y + state.top * scale,
    bottom: y + state.bottom * scale,
  };
  const perMs = (box.right - box.left) / (state.to - state.from);
  const { low, high, isLog } = state;
  const part = (value: number) =>
    isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return {
    state,
    box,
    xAt: (time: number) => within(box.left, box.left + (time - state.from) * perMs, box.right),
    timeAt: (pixels: number) => state.from + (pixels - box.left) / perMs,
    yAt: (value: number) => {
      const share = isLog && value <= low ? 0 : part(value);
      return within(box.top, box.bottom - share * (box.bottom - box.top), box.bottom);
    },
  };
}

function within(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** Places the values, the uppermost first. A stack has its first line at the top. */
function placeLines(
  values: readonly ComparedValue[],
  mode: ComparedLinesState['mode'],
  yAt: (value: number) => number,
): readonly PlacedValue[] {
  if (mode !== 'sum')
    return values
      .map((each) => ({ ...each, y: yAt(each.value * each.factor) }))
      .sort((a, b) => a.y - b.y || b.value * b.factor - a.value * a.factor);
  let rest = values.reduce((sum, { value }) => sum + value, 0);
  return values.map((each) => {
    const placed = { ...each, y: yAt(rest) };
    rest -= each.value;
    return placed;
  });
}

/** The line nearest to a y coordinate; the uppermost without one. */
function nearestLine(lines: readonly PlacedValue[], y: number | undefined): PlacedValue | undefined {
  if (y === undefined) return lines[0];
  return lines.toSorted((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y))[0];
}
