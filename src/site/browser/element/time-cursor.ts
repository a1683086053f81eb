/** A cursor on a chart over time, for pointer, touch and keyboard. Dragging selects a window. */
import { formatDateTime } from '../../../draw/format.ts';
import { nearestIndex } from '../../../draw/line/line-layout.ts';
import { type DataWindow, roundedWindow } from '../../../model/window.ts';
import { element } from '../elements.ts';
import type { CursorActions, ReadableChart } from './drawing.ts';

/** Minimum length of a drag in pixels; shorter ones are clicks. */
const leastDrag = 6;

/**
 * A slider over the plot. Its value text describes the current point, which screen readers announce after
 * each key.
 */
export class TimeCursor {
  readonly element = element('div', {
    class: 'cursor',
    part: 'plot',
    role: 'slider',
    tabindex: '0',
    'aria-valuemin': '0',
  });
  readonly #dot = element('div', { class: 'dot' });
  readonly #rule = element('div', { class: 'rule' }, this.#dot);
  readonly #selection = element('div', { class: 'selection' });
  readonly #actions: CursorActions;
  #chart: ReadableChart;
  /** Index of the current point; undefined while the cursor is hidden. */
  #index: number | undefined;
  /** y coordinate of the pointer; undefined if keys move the cursor. */
  #pointerY: number | undefined;
  /** x coordinates of the ends of the selection in the plot; undefined without a selection. */
  #anchor: number | undefined;
  #head = 0;

  constructor(chart: ReadableChart, actions: CursorActions) {
    this.#chart = chart;
    this.#actions = actions;
    const target = this.element;
    target.append(this.#selection, this.#rule);
    target.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !event.isPrimary) return;
      this.#anchor = this.#xOf(event);
      // A drag may end outside the element.
      target.setPointerCapture(event.pointerId);
      this.#onMove(event);
    });
    target.addEventListener('pointermove', (event) => this.#onMove(event));
    target.addEventListener('pointerup', () => this.#zoom());
    target.addEventListener('pointercancel', () => this.#deselect());
    target.addEventListener('pointerleave', (event) => {
      // Lifting a finger also fires this event; the cursor then stays until the next tap.
      if (event.pointerType === 'mouse' && event.buttons === 0) this.hide();
    });
    target.addEventListener('blur', () => this.hide());
    target.addEventListener('keydown', (event) => {
      if (!(event.ctrlKey || event.metaKey || event.altKey) && this.#onKey(event)) event.preventDefault();
    });
  }

  /** Attaches the cursor to a chart; it keeps its time. */
  show(chart: ReadableChart): void {
    const { box, title } = chart.layout;
    const time = this.#index === undefined ? undefined : this.#chart.times[this.#index];
    this.#chart = chart;
    const { style } = this.element;
    style.left = `${box.left}px`;
    style.top = `${box.top}px`;
    style.width = `${box.right - box.left}px`;
    style.height = `${box.bottom - box.top}px`;
    const { times } = chart;
    this.element.setAttribute('aria-label', title);
    this.element.setAttribute('aria-valuemax', `${times.length - 1}`);
    this.element.hidden = false;
    this.hide();
    if (time === undefined) this.#describe(times.length - 1);
    else this.#moveTo(nearestIndex(times, time));
  }

  /** Hides the cursor and its selection. */
  hide(): void {
    this.#index = undefined;
    this.#rule.hidden = true;
    this.#deselect();
    this.#actions.tip();
  }

  #onMove(event: PointerEvent): void {
    const { layout, times, stepMs } = this.#chart;
    const x = this.#xOf(event);
    this.#pointerY = event.clientY - this.element.getBoundingClientRect().top + layout.box.top;
    this.#moveTo(nearestIndex(times, layout.time.timestampAt(layout.box.left + x) - stepMs / 2));
    if (event.buttons === 1) this.#extend(x);
  }

  /** Returns the x coordinate of a pointer, limited to the plot. */
  #xOf({ clientX }: PointerEvent): number {
    const { left, width } = this.element.getBoundingClientRect();
    return Math.min(Math.max(clientX - left, 0), width);
  }

  /** Handles a key; returns false if the cursor does not use it. */
  #onKey(event: KeyboardEvent): boolean {
    if (event.key === 'Enter') return this.#zoom();
    if (event.key !== 'Escape') return this.#step(event);
    if (!this.#selection.hidden) this.#deselect();
    else if (this.#index !== undefined) this.hide();
    else return this.#actions.zoomOut();
    return true;
  }

  /** Moves the cursor with a key, and with Shift extends the selection; returns false for other keys. */
  #step({ key, shiftKey }: KeyboardEvent): boolean {
    const last = this.#chart.times.length - 1;
    const page = Math.max(1, Math.round(last / 10));
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -page,
      PageUp: page,
      Home: -last,
      End: last,
    };
    const move = moves[key];
    if (move === undefined) return false;
    const before = this.#index ?? last;
    // The first arrow key shows the cursor at the newest point.
    const isFirst = this.#index === undefined && Math.abs(move) === 1;
    const index = isFirst ? last : Math.min(Math.max(before + move, 0), last);
    this.#pointerY = undefined;
    if (shiftKey) this.#anchor ??= this.#xAt(before);
    else this.#deselect();
    this.#moveTo(index);
    if (shiftKey) this.#extend(this.#xAt(index));
    return true;
  }

  /** Returns the x coordinate of a point in the plot. */
  #xAt(index: number): number {
    const { layout, times, stepMs } = this.#chart;
    return layout.time.xAt((times[index] ?? 0) + stepMs / 2) - layout.box.left;
  }

  #moveTo(index: number): void {
    const { layout, yAt, wordsAt } = this.#chart;
    if (index < 0) return;
    this.#index = index;
    const x = this.#xAt(index);
    const y = yAt(index, this.#pointerY);
    this.#rule.style.left = `${x}px`;
    this.#rule.hidden = false;
    this.#dot.style.top = `${(y ?? 0) - layout.box.top}px`;
    this.#dot.hidden = y === undefined;
    this.#actions.tip(wordsAt(index, this.#pointerY), x + layout.box.left, layout.box.top);
    this.#describe(index);
  }

  #describe(index: number): void {
    const { strong, rest } = this.#chart.wordsAt(index, this.#pointerY);
    const [time = '', ...others] = rest;
    this.element.setAttribute('aria-valuenow', `${index}`);
    this.element.setAttribute('aria-valuetext', [`${time}: ${strong}`, ...others].join(', '));
  }

  /** Moves the end of the selection. */
  #extend(x: number): void {
    this.#head = x;
    const anchor = this.#anchor ?? x;
    this.#selection.hidden = Math.abs(x - anchor) < leastDrag;
    this.#selection.style.left = `${Math.min(x, anchor)}px`;
    this.#selection.style.width = `${Math.abs(x - anchor)}px`;
    if (this.#selection.hidden) return;
    const { from, to } = this.#selected();
    const words = `${formatDateTime(from)} to ${formatDateTime(to)}`;
    this.element.setAttribute('aria-valuetext', `${words} selected, press Enter to see it`);
  }

  #selected(): DataWindow {
    const { box, time } = this.#chart.layout;
    const ends = [this.#anchor ?? 0, this.#head].map((x) => time.timestampAt(box.left + x));
    return roundedWindow(Math.min(...ends), Math.max(...ends));
  }

  /** Zooms into the selection; returns false if there is none. */
  #zoom(): boolean {
    const window = this.#selection.hidden ? undefined : this.#selected();
    this.#deselect();
    if (window === undefined) return false;
    this.hide();
    this.#actions.zoom(window);
    return true;
  }

  #deselect(): void {
    this.#anchor = undefined;
    this.#selection.hidden = true;
  }
}
