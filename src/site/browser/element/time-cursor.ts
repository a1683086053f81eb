/** A cursor on a chart over time, moved by pointer, touch and keys. Dragging selects a window. */
import { formatDateTime } from '../../../draw/format.ts';
import { nearestIndex, type TimeLayout } from '../../../draw/line/line-layout.ts';
import type { TimeWindow } from '../../../model/window.ts';
import { element } from '../elements.ts';
import { roundedWindow } from './rounded-window.ts';
import type { Tip, TipWords } from './tip.ts';

/** A drawn chart that is read time by time. */
export interface ReadableChart {
  readonly layout: Pick<TimeLayout, 'title' | 'box' | 'time'>;
  /** Ascending: the beginnings of steps, or stored times. */
  readonly times: Float64Array;
  /** The length of a step in milliseconds; 0 for stored times. */
  readonly stepMs: number;
  /** The y coordinate of the dot; undefined for none. `y` is that of the pointer; undefined if keys move the cursor. */
  readonly yAt: (index: number, y: number | undefined) => number | undefined;
  readonly wordsAt: (index: number, y: number | undefined) => TipWords;
}

/** Handlers of the cursor. */
interface CursorActions {
  /** Called with the window that was selected. */
  readonly zoom: (window: TimeWindow) => void;
  /** Called by Escape when nothing is selected; returns false if there is no way back. */
  readonly zoomOut: () => boolean;
}

/** Shorter drags are clicks; in pixels. */
const leastDrag = 6;

/** A slider over the plot. Its value text is the point at the cursor, which screen readers say after each key. */
export class TimeCursor {
  readonly element: HTMLElement;
  readonly #rule = element('div', { class: 'rule', hidden: '' });
  readonly #dot = element('div', { class: 'dot', hidden: '' });
  readonly #selection = element('div', { class: 'selection', hidden: '' });
  readonly #tip: Tip;
  readonly #actions: CursorActions;
  #chart: ReadableChart | undefined;
  #index: number | undefined;
  /** The y coordinate of the pointer; undefined if keys move the cursor. */
  #pointerY: number | undefined;
  /** The x coordinate in the plot at which a selection began. */
  #anchor: number | undefined;
  #head = 0;
  /** True while a pointer is down. */
  #isPressed = false;

  constructor(tip: Tip, actions: CursorActions) {
    this.#tip = tip;
    this.#actions = actions;
    this.element = element('div', {
      class: 'cursor',
      part: 'plot',
      role: 'slider',
      tabindex: '0',
      hidden: '',
    });
    const target = this.element;
    target.append(this.#selection, this.#rule, this.#dot);
    target.addEventListener('pointerdown', (event) => this.#onDown(event));
    target.addEventListener('pointermove', (event) => this.#onMove(event));
    target.addEventListener('pointerup', () => this.#onUp());
    target.addEventListener('pointercancel', () => this.#deselect());
    target.addEventListener('pointerleave', (event) => {
      // Lifting a finger fires this too, and the cursor then stays until the next tap.
      if (event.pointerType === 'mouse' && !this.#isPressed) this.hide();
    });
    target.addEventListener('blur', () => this.hide());
    target.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** Covers this chart from now on; the cursor keeps its time. */
  show(chart: ReadableChart): void {
    const { box, title } = chart.layout;
    const selectedTime = this.#index === undefined ? undefined : this.#chart?.times[this.#index];
    this.#chart = chart;
    this.#deselect();
    const { style } = this.element;
    style.left = `${box.left}px`;
    style.top = `${box.top}px`;
    style.width = `${box.right - box.left}px`;
    style.height = `${box.bottom - box.top}px`;
    const { times } = chart;
    this.element.setAttribute('aria-label', title);
    this.element.setAttribute('aria-valuemin', '0');
    this.element.setAttribute('aria-valuemax', `${times.length - 1}`);
    this.element.hidden = false;
    if (selectedTime === undefined) {
      this.#describe(times.length - 1);
      this.hide();
    } else this.#moveTo(nearestIndex(times, selectedTime));
  }

  /** Hides the cursor. */
  hide(): void {
    this.#index = undefined;
    this.#rule.hidden = true;
    this.#dot.hidden = true;
    this.#deselect();
    this.#tip.hide();
  }

  /** Removes the chart. */
  remove(): void {
    this.hide();
    this.element.hidden = true;
    this.#chart = undefined;
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.#deselect();
    this.#isPressed = true;
    this.#anchor = this.#xOf(event);
    // A drag may end outside.
    this.element.setPointerCapture(event.pointerId);
    this.#onMove(event);
  }

  #onMove(event: PointerEvent): void {
    if (this.#chart === undefined) return;
    const { box, time } = this.#chart.layout;
    const x = this.#xOf(event);
    this.#pointerY = event.clientY - this.element.getBoundingClientRect().top + box.top;
    this.#moveTo(nearestIndex(this.#chart.times, time.timestampAt(box.left + x) - this.#chart.stepMs / 2));
    if (this.#isPressed) this.#extend(x);
  }

  #onUp(): void {
    this.#isPressed = false;
    this.#zoom();
  }

  /** The x coordinate of a pointer in the plot, within it. */
  #xOf({ clientX }: PointerEvent): number {
    const { left, width } = this.element.getBoundingClientRect();
    return Math.min(Math.max(clientX - left, 0), width);
  }

  /** Moves the end of the selection. */
  #extend(x: number): void {
    this.#head = x;
    const anchor = this.#anchor ?? x;
    this.#selection.hidden = Math.abs(x - anchor) < leastDrag;
    this.#selection.style.left = `${Math.min(x, anchor)}px`;
    this.#selection.style.width = `${Math.abs(x - anchor)}px`;
    const window = this.#selected();
    if (window === undefined) return;
    const words = `${formatDateTime(window.from)} to ${formatDateTime(window.to)}`;
    this.element.setAttribute('aria-valuetext', `${words} selected, press Enter to see it`);
  }

  /** The window that is selected; undefined for none. */
  #selected(): TimeWindow | undefined {
    if (this.#chart === undefined || this.#anchor === undefined || this.#selection.hidden) return undefined;
    const { box, time } = this.#chart.layout;
    const [first, last] = [Math.min(this.#anchor, this.#head), Math.max(this.#anchor, this.#head)];
    return roundedWindow(time.timestampAt(box.left + first), time.timestampAt(box.left + last));
  }

  #zoom(): boolean {
    const window = this.#selected();
    this.#deselect();
    if (window === undefined) return false;
    this.hide();
    this.#actions.zoom(window);
    return true;
  }

  #deselect(): void {
    this.#isPressed = false;
    this.#anchor = undefined;
    this.#selection.hidden = true;
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#chart === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') {
      if (!this.#zoom()) return;
    } else if (event.key === 'Escape') {
      if (!this.#selection.hidden) this.#deselect();
      else if (this.#index !== undefined) this.hide();
      else if (!this.#actions.zoomOut()) return;
    } else if (!this.#step(event)) return;
    event.preventDefault();
  }

  /** Moves the cursor by a key, and the end of a selection with it if Shift is held; false for other keys. */
  #step({ key, shiftKey }: KeyboardEvent): boolean {
    const last = (this.#chart?.times.length ?? 0) - 1;
    // The first key shows the cursor, at the newest point.
    const index = this.#index ?? last;
    this.#pointerY = undefined;
    const next = nextIndex(key, { index, last, isFirst: this.#index === undefined });
    if (next === undefined) return false;
    if (shiftKey) this.#anchor ??= this.#xAt(index);
    else this.#deselect();
    const at = Math.min(Math.max(next, 0), last);
    this.#moveTo(at);
    if (shiftKey) this.#extend(this.#xAt(at));
    return true;
  }

  /** The x coordinate of a point in the plot. */
  #xAt(index: number): number {
    if (this.#chart === undefined) return 0;
    const { layout, times, stepMs } = this.#chart;
    return layout.time.xAt((times[index] ?? 0) + stepMs / 2) - layout.box.left;
  }

  #moveTo(index: number): void {
    const chart = this.#chart;
    if (chart === undefined || chart.times[index] === undefined) return;
    this.#index = index;
    const { box } = chart.layout;
    const x = this.#xAt(index);
    const y = chart.yAt(index, this.#pointerY);
    this.#rule.style.left = `${x}px`;
    this.#dot.style.left = `${x}px`;
    this.#dot.style.top = `${(y ?? 0) - box.top}px`;
    this.#rule.hidden = false;
    this.#dot.hidden = y === undefined;
    this.#tip.show(chart.wordsAt(index, this.#pointerY), x + box.left, box.top);
    this.#describe(index);
  }

  #describe(index: number): void {
    if (this.#chart === undefined || index < 0) return;
    const { strong, rest } = this.#chart.wordsAt(index, this.#pointerY);
    const [time = '', ...others] = rest;
    this.element.setAttribute('aria-valuenow', `${index}`);
    this.element.setAttribute('aria-valuetext', [`${time}: ${strong}`, ...others].join(', '));
  }
}

interface Position {
  readonly index: number;
  readonly last: number;
  readonly isFirst: boolean;
}

/** The index that a key leads to; undefined for other keys. */
function nextIndex(key: string, { index, last, isFirst }: Position): number | undefined {
  const page = Math.max(1, Math.round(last / 10));
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -page,
    PageUp: page,
    Home: -last,
    End: last,
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  if (step === undefined) return undefined;
  return isFirst && Math.abs(step) === 1 ? index : index + step;
}
