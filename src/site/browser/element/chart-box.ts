/** The box of one chart: its drawing and everything over it: cursor, tooltip, event links, message, table. */
import { button, element } from '../elements.ts';
import type { CursorActions, Drawing, DrawingActions, TipWords } from './drawing.ts';
import type { TimeCursor } from './time-cursor.ts';

/** Handlers of user actions in a chart. */
interface ChartBoxActions extends Omit<DrawingActions & CursorActions, 'tip'> {
  /** Shows the history of shares. */
  readonly showHistory: () => void;
}

/** Distance of the tooltip from its point, in pixels. */
const tipGap = 12;

/** Shows a drawing, or a message in its place, with a table if requested. */
export class ChartBox {
  readonly element = element('div', { class: 'chart-box' });
  readonly #fallback = element('slot');
  readonly #words = element('div', { class: 'message', part: 'message' });
  readonly #tip = element(
    'div',
    { class: 'tip', part: 'tip', 'aria-hidden': 'true', hidden: '' },
    element('b'),
  );
  readonly #actions: ChartBoxActions & DrawingActions;
  /** Created with the first chart over time. */
  #cursor: TimeCursor | undefined;
  #drawing: Drawing | undefined;
  #svg: SVGSVGElement | undefined;
  #table: HTMLElement | undefined;
  /** Links of the events. */
  #links: HTMLElement | undefined;
  /** Size at the last drawing. */
  #drawnSize = '';

  constructor(actions: ChartBoxActions) {
    this.#actions = { ...actions, tip: (...words) => this.#showTip(...words) };
    this.element.append(this.#fallback, this.#words, this.#tip);
  }

  get drawing(): Drawing | undefined {
    return this.#drawing;
  }

  /** True while a message is shown without a picture below it. */
  get isMessage(): boolean {
    return this.#words.hidden === false && this.#fallback.hidden === true;
  }

  /** True if the size has changed since the last drawing. */
  get isResized(): boolean {
    return this.#drawnSize !== this.#size();
  }

  /**
   * Returns the size for a drawing in pixels, and remembers it; undefined while the element is not rendered.
   */
  takeSize(): { readonly width: number; readonly height: number } | undefined {
    this.#drawnSize = this.#size();
    const { clientWidth, clientHeight } = this.element;
    return clientWidth === 0 ? undefined : { width: this.width, height: Math.max(clientHeight, 100) };
  }

  /** Width of drawings in pixels. */
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

  /** Shows the chart name and a sentence instead of a drawing, with a button if `retry` is given. */
  showMessage(name: string, sentence: string, retry?: () => void): void {
    this.#clear();
    this.#showWords(name, sentence);
    if (retry !== undefined) this.#addButton('Try again', retry);
  }

  #addButton(label: string, onClick: () => void): void {
    this.#words.append(button(label, { part: 'button', onClick }));
  }

  #showWords(name: string, sentence: string): void {
    this.#words.className = 'message';
    this.#words.replaceChildren(element('b', {}, name), element('span', {}, sentence));
    this.#words.hidden = false;
    this.#fallback.hidden = true;
  }

  #clear(): void {
    this.setTable(undefined);
    this.#draw();
  }

  /** Replaces the drawing; the table and the focus stay. A chart over time gets a cursor of this class. */
  draw(drawing: Drawing, title: string, Cursor: typeof TimeCursor): void {
    const root = this.element.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    const index = focused instanceof SVGElement ? focused.dataset['index'] : undefined;
    this.#words.hidden = true;
    this.#fallback.hidden = true;
    this.#draw(drawing, Cursor);
    if (index !== undefined) this.focusSlice(Number(index));
    if (drawing.sentence !== undefined) this.#showWords(title, drawing.sentence);
    if (drawing.hasPast) this.#addButton('Over time', this.#actions.showHistory);
  }

  #draw(drawing?: Drawing, Cursor?: typeof TimeCursor): void {
    this.#svg?.remove();
    this.#links?.remove();
    this.#drawing = drawing;
    const { svg, readable, connect } = drawing ?? {};
    this.#svg = svg === undefined ? undefined : svgElement(svg);
    if (this.#svg !== undefined) {
      this.#svg.setAttribute('aria-label', drawing?.label ?? drawing?.description ?? '');
      this.element.prepend(this.#svg);
    }
    this.#showCursor(readable, Cursor);
    this.#links = this.#svg && connect?.(this.#svg, this.#actions);
    if (this.#links !== undefined) this.element.append(this.#links);
    this.#cover();
  }

  #showCursor(readable: Drawing['readable'], Cursor: typeof TimeCursor | undefined): void {
    if (readable === undefined || Cursor === undefined) {
      this.#cursor?.hide();
      if (this.#cursor !== undefined) this.#cursor.element.hidden = true;
      return;
    }
    if (this.#cursor === undefined) {
      this.#cursor = new Cursor(readable, this.#actions);
      this.#tip.before(this.#cursor.element);
    }
    this.#cursor.show(readable);
  }

  /** Shows a tooltip near a point, within the width of the box; hides it if there are no words. */
  #showTip(words?: TipWords, x = 0, y = 0): void {
    this.#tip.hidden = words === undefined;
    if (words === undefined) return;
    const { strong, rest, shown } = words;
    const content = shown ? [shown.content] : rest.map((line) => element('div', {}, line));
    this.#tip.replaceChildren(element('b', { dir: 'auto' }, shown?.heading ?? strong), ...content);
    const { offsetWidth: width, offsetHeight: height } = this.#tip;
    const { clientWidth: room, clientHeight } = this.element;
    const isLeft = x + tipGap + width > room && x - tipGap - width >= 0;
    const left = isLeft ? x - tipGap - width : Math.min(x + tipGap, room - width);
    const top = Math.max(0, Math.min(y, clientHeight - height));
    this.#tip.style.transform = `translate(${Math.round(Math.max(0, left))}px,${Math.round(top)}px)`;
  }

  /**
   * Shows a table over the drawing, and keeps the scroll position of the previous table; removes the table if
   * undefined.
   */
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

  /** Hides everything below the table from keyboard focus. */
  #cover(): void {
    const visibility = this.#table !== undefined ? 'hidden' : '';
    for (const each of [this.#svg, this.#cursor?.element, this.#links])
      if (each !== undefined) each.style.visibility = visibility;
  }

  /** Focuses a slice that can be opened. */
  focusSlice(index: number): void {
    const slice = this.#svg?.querySelector<SVGElement>(`[data-index="${index}"][role=button]`);
    slice?.focus({ preventScroll: true });
  }
}

const namespace = 'http://www.w3.org/2000/svg';
const piece = /<(\/?)([a-z]+)((?: [\w:-]+="[^"]*")*)(\/?)>|([^<]+)/gi;
const attribute = / ([\w:-]+)="([^"]*)"/g;

/**
 * Makes the `<svg>` element of a drawing. It does not use a parser of the browser, which pages that require
 * trusted types forbid. The text comes from our own code, with quoted and escaped attributes. Title and
 * description of the SVG are omitted, because browsers would show them as a tooltip.
 */
function svgElement(text: string): SVGSVGElement {
  const root = document.createElementNS(namespace, 'svg');
  const open: Element[] = [];
  for (const [, end, name = '', attributes = '', isEmpty, words] of text.matchAll(piece)) {
    const parent = open.at(-1);
    if (words !== undefined) parent?.append(decode(words));
    else if (end === '/') open.pop();
    else {
      const made = parent === undefined ? root : document.createElementNS(namespace, name);
      for (const [, key = '', value = ''] of attributes.matchAll(attribute))
        if (key !== 'xmlns' && key !== 'aria-labelledby') made.setAttribute(key, decode(value));
      parent?.append(made);
      if (isEmpty === '') open.push(made);
    }
  }
  for (const each of root.querySelectorAll(':scope>title,:scope>desc')) each.remove();
  return root;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all);
}
