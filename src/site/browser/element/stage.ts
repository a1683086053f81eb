/** The place of one chart: its drawing, and what lies over it: cursor, tip, links of events, message, table. */
import { element } from '../elements.ts';
import { ChartMessage } from './chart-message.ts';
import type { Drawing } from './drawing.ts';
import { TimeCursor } from './time-cursor.ts';
import { Tip } from './tip.ts';

/** A drawn chart, with its table if it is shown. */
export class Stage {
  readonly element = element('div', { class: 'stage' });
  readonly message = new ChartMessage();
  readonly tip = new Tip();
  readonly #actions: ConstructorParameters<typeof TimeCursor>[1];
  /** Made with the first chart over time. */
  #cursor: TimeCursor | undefined;
  #drawing: Drawing | undefined;
  #table: HTMLElement | undefined;
  /** The links of the events. */
  #links: HTMLElement | undefined;
  /** The size when the chart was drawn. */
  #drawnSize = '';

  constructor(actions: ConstructorParameters<typeof TimeCursor>[1]) {
    this.#actions = actions;
    this.element.append(...this.message.elements, this.tip.element);
  }

  get drawing(): Drawing | undefined {
    return this.#drawing;
  }

  get hasTable(): boolean {
    return this.#table !== undefined;
  }

  /** True if it has another size than when the chart was drawn. */
  get isResized(): boolean {
    return this.#drawnSize !== this.#size();
  }

  /** The size for a drawing in pixels; undefined while it is not rendered. */
  takeSize(): { readonly width: number; readonly height: number } | undefined {
    this.#drawnSize = this.#size();
    const { clientWidth, clientHeight } = this.element;
    return clientWidth === 0 ? undefined : { width: this.width, height: Math.max(clientHeight, 100) };
  }

  /** The width of drawings in pixels. */
  get width(): number {
    return Math.max(this.element.clientWidth, 200);
  }

  #size(): string {
    return `${this.element.clientWidth} ${this.element.clientHeight}`;
  }

  /** Shows a drawing in place of the one before, or none. The table stays. */
  draw(drawing: Drawing | undefined, links?: HTMLElement): void {
    this.#drawing?.svg?.remove();
    this.#links?.remove();
    this.#drawing = drawing;
    if (drawing?.svg !== undefined) this.element.prepend(drawing.svg);
    if (drawing?.readable === undefined) this.#cursor?.remove();
    else this.#madeCursor().show(drawing.readable);
    this.#links = links;
    if (links !== undefined) this.element.append(links);
  }

  #madeCursor(): TimeCursor {
    if (this.#cursor === undefined) {
      this.#cursor = new TimeCursor(this.tip, this.#actions);
      this.tip.element.before(this.#cursor.element);
    }
    return this.#cursor;
  }

  /** Shows a table over the drawing, scrolled as far as the one before; none if undefined. */
  setTable(table: HTMLElement | undefined): void {
    const top = this.#table?.scrollTop ?? 0;
    this.#table?.remove();
    this.#table = table;
    if (table === undefined) return;
    this.element.append(table);
    table.scrollTop = top;
  }

  /** Keeps keys from what the table covers. */
  cover(): void {
    const covered = [this.#drawing?.svg, this.#cursor?.element, this.#links];
    for (const each of covered) if (each !== undefined) each.style.visibility = this.hasTable ? 'hidden' : '';
  }

  /** The index of the slice with the focus. */
  focusedSlice(): number | undefined {
    const root = this.element.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    const index = focused instanceof SVGElement ? focused.dataset['index'] : undefined;
    return index === undefined ? undefined : Number(index);
  }

  /** Focuses a slice that opens. */
  focusSlice(index: number): void {
    const slice = this.#drawing?.svg?.querySelector<SVGElement>(`[data-index="${index}"][role=button]`);
    slice?.focus({ preventScroll: true });
  }
}
