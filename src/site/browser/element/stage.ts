/** The place of one chart: its drawing, and what lies over it: cursor, tip, links of events, message, table. */
import { button, element } from '../elements.ts';
import type { Drawing, DrawingActions } from './drawing.ts';
import { svgElement } from './svg-elements.ts';
import { TimeCursor } from './time-cursor.ts';
import { Tip } from './tip.ts';

/** Handlers of what a reader does with a chart. */
interface StageActions extends Omit<DrawingActions, 'tip'> {
  /** Goes back to the range before a window; returns false if there is none. */
  readonly zoomOut: () => boolean;
}

/** A drawn chart, or words in its place, with its table if it is shown. */
export class Stage {
  readonly element = element('div', { class: 'stage' });
  readonly #fallback = element('slot');
  readonly #words = element('div', { class: 'message', part: 'message' });
  readonly #tip = new Tip();
  readonly #actions: StageActions;
  /** Made with the first chart over time. */
  #cursor: TimeCursor | undefined;
  #drawing: Drawing | undefined;
  #svg: SVGSVGElement | undefined;
  #table: HTMLElement | undefined;
  /** The links of the events. */
  #links: HTMLElement | undefined;
  /** The size when the chart was drawn. */
  #drawnSize = '';

  constructor(actions: StageActions) {
    this.#actions = actions;
    this.element.append(this.#fallback, this.#words, this.#tip.element);
  }

  get drawing(): Drawing | undefined {
    return this.#drawing;
  }

  get hasTable(): boolean {
    return this.#table !== undefined;
  }

  /** True while words are shown, and no picture below them. */
  get isMessage(): boolean {
    return this.#words.hidden === false && this.#fallback.hidden === true;
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

  /** Shows the fallback content of the element, or that the chart is loading. */
  showLoading(): void {
    this.#clear();
    this.#fallback.hidden = false;
    this.#words.className = 'message late';
    this.#words.replaceChildren('Loading…');
    this.#words.hidden = this.#fallback.assignedElements().length > 0;
  }

  /** Shows a sentence below the name of the chart in place of a drawing, with a button if `retry` is given. */
  showMessage(name: string, sentence: string, retry?: () => void): void {
    this.#clear();
    this.#showWords(name, sentence);
    if (retry !== undefined) this.#words.append(button('Try again', { part: 'button', onClick: retry }));
  }

  #showWords(name: string, sentence: string): void {
    this.#fallback.hidden = true;
    this.#words.className = 'message';
    this.#words.replaceChildren(element('b', {}, name), element('span', {}, sentence));
    this.#words.hidden = false;
  }

  /** Leaves the place of words to a drawing. */
  hideMessage(): void {
    this.#fallback.hidden = true;
    this.#words.hidden = true;
  }

  #clear(): void {
    this.setTable(undefined);
    this.#draw(undefined);
  }

  /** Shows a drawing in place of the one before. The table and the focus stay. */
  draw(drawing: Drawing, title: string): void {
    const root = this.element.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    const index = focused instanceof SVGElement ? focused.dataset['index'] : undefined;
    this.#draw(drawing);
    if (index !== undefined) this.focusSlice(Number(index));
    if (drawing.sentence !== undefined) this.#showWords(title, drawing.sentence);
  }

  #draw(drawing: Drawing | undefined): void {
    this.#svg?.remove();
    this.#links?.remove();
    this.#drawing = drawing;
    const { svg, readable, connect } = drawing ?? {};
    this.#svg =
      svg === undefined ? undefined : labelledSvg(svg, drawing?.label ?? drawing?.description ?? '');
    if (this.#svg !== undefined) this.element.prepend(this.#svg);
    if (readable === undefined) this.#cursor?.remove();
    else this.#madeCursor().show(readable);
    this.#links = this.#svg && connect?.(this.#svg, { ...this.#actions, tip: this.#tip });
    if (this.#links !== undefined) this.element.append(this.#links);
    this.#cover();
  }

  #madeCursor(): TimeCursor {
    if (this.#cursor === undefined) {
      this.#cursor = new TimeCursor(this.#tip, this.#actions);
      this.#tip.element.before(this.#cursor.element);
    }
    return this.#cursor;
  }

  /** Shows a table over the drawing, scrolled as far as the one before; none if undefined. */
  setTable(table: HTMLElement | undefined): void {
    const top = this.#table?.scrollTop ?? 0;
    this.#table?.remove();
    this.#table = table;
    if (table !== undefined) {
      this.element.append(table);
      table.scrollTop = top;
    }
    this.#cover();
  }

  /** Keeps keys from what the table covers. */
  #cover(): void {
    const visibility = this.hasTable ? 'hidden' : '';
    for (const each of [this.#svg, this.#cursor?.element, this.#links])
      if (each !== undefined) each.style.visibility = visibility;
  }

  /** Focuses a slice that opens. */
  focusSlice(index: number): void {
    const slice = this.#svg?.querySelector<SVGElement>(`[data-index="${index}"][role=button]`);
    slice?.focus({ preventScroll: true });
  }
}

/** Moves title and description into the label, because browsers show them as a tooltip of the whole drawing. */
function labelledSvg(text: string, description: string): SVGSVGElement {
  const svg = svgElement(text);
  for (const words of svg.querySelectorAll(':scope>title,:scope>desc')) words.remove();
  svg.removeAttribute('aria-labelledby');
  svg.setAttribute('aria-label', description);
  return svg;
}
