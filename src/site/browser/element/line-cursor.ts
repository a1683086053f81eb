/** A cursor on a line, moved by pointer, touch and keys. */
import { formatDate, formatDateTime, formatExact } from '../../../draw/format.ts';
import { type LinesLayout, nearestIndex } from '../../../draw/line/line-layout.ts';
import { dayMs } from '../../../draw/time-step.ts';
import type { Points } from '../../../model/points.ts';
import { element } from '../elements.ts';
import type { LineReading } from './line-reading.ts';
import type { Tip, TipWords } from './tip.ts';

/** A line with its layout, for the cursor. */
interface LineWithCursor {
  readonly layout: LinesLayout;
  readonly reading: LineReading;
  readonly settings: unknown;
}

/** A slider over the plot. Its value text is the point at the cursor, which screen readers say after each key. */
export class LineCursor {
  readonly element: HTMLElement;
  readonly #rule = element('div', { class: 'rule', hidden: '' });
  readonly #dot = element('div', { class: 'dot', hidden: '' });
  readonly #tip: Tip;
  #line: LineWithCursor | undefined;
  #points: Points | undefined;
  #index: number | undefined;

  constructor(tip: Tip) {
    this.#tip = tip;
    this.element = element('div', {
      class: 'cursor',
      part: 'plot',
      role: 'slider',
      tabindex: '0',
      hidden: '',
    });
    this.element.append(this.#rule, this.#dot);
    this.element.addEventListener('pointerdown', (event) => this.#selectAt(event));
    this.element.addEventListener('pointermove', (event) => this.#selectAt(event));
    this.element.addEventListener('pointerleave', (event) => {
      // Lifting a finger fires this too, and the cursor then stays until the next tap.
      if (event.pointerType === 'mouse') this.hide();
    });
    this.element.addEventListener('blur', () => this.hide());
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** Covers this line from now on; the cursor keeps its time. */
  show(line: LineWithCursor): void {
    const { layout } = line;
    const { box, title } = layout;
    const selectedTime = this.#index === undefined ? undefined : this.#points?.timestamps[this.#index];
    this.#line = line;
    this.#points = line.reading.points;
    const { style } = this.element;
    style.left = `${box.left}px`;
    style.top = `${box.top}px`;
    style.width = `${box.right - box.left}px`;
    style.height = `${box.bottom - box.top}px`;
    const { timestamps } = this.#points;
    this.element.setAttribute('aria-label', title);
    this.element.setAttribute('aria-valuemin', '0');
    this.element.setAttribute('aria-valuemax', `${timestamps.length - 1}`);
    this.element.hidden = false;
    if (selectedTime === undefined) {
      this.#describe(timestamps.length - 1);
      this.hide();
    } else this.#select(nearestIndex(timestamps, selectedTime));
  }

  /** Hides the cursor. */
  hide(): void {
    this.#index = undefined;
    this.#rule.hidden = true;
    this.#dot.hidden = true;
    this.#tip.hide();
  }

  /** Removes the line. */
  remove(): void {
    this.hide();
    this.element.hidden = true;
    this.#line = undefined;
    this.#points = undefined;
  }

  #selectAt(event: PointerEvent): void {
    if (this.#line === undefined || this.#points === undefined) return;
    const { box, time } = this.#line.layout;
    const x = box.left + event.clientX - this.element.getBoundingClientRect().left;
    const halfStepMs = (this.#line.reading.band?.step.ms ?? 0) / 2;
    this.#select(nearestIndex(this.#points.timestamps, time.timestampAt(x) - halfStepMs));
  }

  #onKey(event: KeyboardEvent): void {
    if (this.#points === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.#points.timestamps.length - 1;
    if (event.key === 'Escape' && this.#index !== undefined) this.hide();
    else {
      // The first key shows the cursor, at the newest point.
      const index = this.#index ?? last;
      const next = nextIndex(event.key, { index, last, isFirst: this.#index === undefined });
      if (next === undefined) return;
      this.#select(Math.min(Math.max(next, 0), last));
    }
    event.preventDefault();
  }

  #select(index: number): void {
    const line = this.#line;
    const timestamp = this.#points?.timestamps[index];
    const value = this.#points?.values[index];
    const placed = line?.layout.lines[0];
    if (line === undefined || timestamp === undefined || value === undefined || placed === undefined) return;
    this.#index = index;
    const { box, time } = line.layout;
    const x = time.xAt(timestamp + (line.reading.band?.step.ms ?? 0) / 2);
    this.#rule.style.left = `${x - box.left}px`;
    this.#dot.style.left = `${x - box.left}px`;
    this.#dot.style.top = `${placed.yAt(value) - box.top}px`;
    this.#rule.hidden = false;
    this.#dot.hidden = false;
    this.#tip.show(wordsAt(line, index), x, box.top);
    this.#describe(index);
  }

  #describe(index: number): void {
    if (this.#line === undefined) return;
    const { strong, rest } = wordsAt(this.#line, index);
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

/** A point in words: its value and its time; of a step its mean, its day or days, its lowest and its highest value. */
function wordsAt({ reading: { points, band }, settings }: LineWithCursor, index: number): TipWords {
  const timestamp = points.timestamps[index] ?? 0;
  const value = points.values[index] ?? 0;
  // The decimals of a mean of hundreds say nothing.
  const strong = valueWords(
    band !== undefined && Math.abs(value) >= 100 ? Math.round(value) : value,
    settings,
  );
  if (band === undefined) return { strong, rest: [formatDateTime(timestamp)] };
  const { step, lows, highs } = band;
  const last = timestamp + step.ms - 1;
  const days = formatDate(timestamp) + (step.ms > dayMs ? ` to ${formatDate(last)}` : '');
  const between = `${formatExact(lows[index] ?? 0)} to ${formatExact(highs[index] ?? 0)}`;
  return { strong, rest: [days, `${step.mean}, ${between}`] };
}

/** A value with its unit, if the settings of the chart have one: 3,883 players. */
function valueWords(value: number, settings: unknown): string {
  const unit = unitOf(settings);
  return `${formatExact(value)}${unit === '' ? '' : ` ${unit}`}`;
}

/** The name of the line as a unit; '' for an identifier, and for a name that is too long to hear each time. */
function unitOf(settings: unknown): string {
  if (typeof settings !== 'object' || settings === null || !('lineName' in settings)) return '';
  const { lineName } = settings;
  const isWords = typeof lineName === 'string' && /^\p{L}[\p{L} ]{0,29}$/u.test(lineName);
  return isWords ? lineName.toLowerCase() : '';
}
