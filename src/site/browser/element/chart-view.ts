/** The content of the shadow root of `<plugin-chart>`: the drawing, its overlay, buttons, messages. */

import type { ChartToDraw } from '../../../draw/chart-content.ts';
import { sentences } from '../../../draw/message.ts';
import { isShareShown } from '../../state/share-filter.ts';
import { element } from '../elements.ts';
import { drawHistoryOf, drawInPage } from './chart-drawing.ts';
import { ChartMessage } from './chart-message.ts';
import type { Drawing } from './drawing.ts';
import type { LoadedHistory } from './explore.ts';
import type { ShownChart, ViewActions } from './shown-chart.ts';
import { TimeCursor } from './time-cursor.ts';
import { Tip } from './tip.ts';
import { Toolbar } from './toolbar.ts';

/** The view of one chart. */
export class ChartView {
  readonly element: HTMLElement;
  readonly #stage = element('div', { class: 'stage' });
  readonly #message = new ChartMessage();
  readonly #said = element('p', { class: 'said', role: 'status' });
  readonly #tip = new Tip();
  readonly #cursor: TimeCursor;
  readonly #bar = element('div', { class: 'bar', part: 'toolbar' });
  readonly #retry: () => void;
  readonly #zoom: ViewActions['chooseWindow'];
  readonly #chooseShares: ViewActions['chooseShares'];
  readonly #makeToolbar: () => Toolbar;
  /** Made with the first chart: most charts of a page are not seen in a visit. */
  #toolbar: Toolbar | undefined;
  #hasControls = true;
  #shown: ShownChart | undefined;
  #drawing: Drawing | undefined;
  /** The size of the stage when it was drawn. */
  #drawnSize = '';
  /** True if the axis of the line has outliers too. */
  #isWhole = false;
  /** The history of the open slice. */
  #openHistory: LoadedHistory | undefined;
  /** The index of the open slice of a drilldown pie. */
  #openIndex: number | undefined;
  #table: HTMLElement | undefined;
  /** The links of the events. */
  #links: HTMLElement | undefined;

  constructor({ chooseWindow, chooseView, zoomOut, chooseShares, retry }: ViewActions) {
    this.#cursor = new TimeCursor(this.#tip, { zoom: chooseWindow, zoomOut });
    this.#retry = retry;
    this.#zoom = chooseWindow;
    this.#chooseShares = chooseShares;
    this.#makeToolbar = () =>
      new Toolbar(this.#bar, {
        chooseRange: (range) => chooseWindow({ range }),
        chooseView,
        zoomOut,
        goBack: () => this.#goBack(),
        toggleWhole: () => this.#toggleWhole(),
        toggleTable: () => this.#toggleTable(),
      });
    this.#stage.append(...this.#message.elements, this.#cursor.element, this.#tip.element);
    // The empty title keeps browsers from showing the title of the host as a tooltip.
    this.element = element('div', { class: 'box', part: 'box', title: '' });
    this.element.append(this.#stage, this.#bar, this.#said);
  }

  /** The width of drawings in pixels. */
  get width(): number {
    return Math.max(this.#stage.clientWidth, 200);
  }

  /** True while a sentence is shown instead of a drawing. */
  get isMessage(): boolean {
    return this.#message.isShown;
  }

  /** Sets whether the chart has buttons for its range; otherwise the page has them. */
  setControls(hasControls: boolean): void {
    this.#hasControls = hasControls;
    this.#updateToolbar();
  }

  /** Marks the view as loading. */
  setBusy(isBusy: boolean): void {
    this.element.setAttribute('aria-busy', String(isBusy));
  }

  /** Shows the fallback content of the element, or that it is loading. */
  showLoading(): void {
    this.#clear();
    this.#message.showLoading();
  }

  /** Shows a sentence instead of a chart. */
  showMessage(
    sentence: string,
    { name, canRetry }: { readonly name: string; readonly canRetry: boolean },
  ): void {
    this.#clear();
    this.#message.show(name, sentence, canRetry ? this.#retry : undefined);
    this.#said.textContent = name === '' ? sentence : `${name}: ${sentence}`;
  }

  /** Shows a chart, or the same one with newer data. */
  show(shown: ShownChart): void {
    if (shown.loaded.history !== this.#shown?.loaded.history) this.#openHistory = undefined;
    if (shown.loaded.history !== undefined) this.#openIndex = undefined;
    this.#shown = shown;
    this.#toolbar ??= this.#makeToolbar();
    this.#message.hide();
    this.redraw();
  }

  /** Draws again if the element has another size than when it was drawn. */
  fit(): void {
    if (this.#drawnSize !== this.#size()) this.redraw();
  }

  #size(): string {
    return `${this.#stage.clientWidth} ${this.#stage.clientHeight}`;
  }

  /** Draws again at the current size of the element. */
  redraw(): void {
    const { clientWidth, clientHeight } = this.#stage;
    this.#drawnSize = this.#size();
    const chart = this.#visibleChart();
    if (this.#shown === undefined || chart === undefined || clientWidth === 0) return;
    const { loaded, wanted } = this.#shown;
    // An open slice has other names.
    const isOpened = this.#openIndex !== undefined || this.#openHistory !== undefined;
    const filter = isOpened ? undefined : this.#shown.filter;
    const isShown = (name: string | undefined) => isShareShown(filter, name);
    const size = { width: this.width, height: Math.max(clientHeight, 100), isShown };
    const history = this.#openHistory ?? loaded.history;
    const drawing =
      history === undefined
        ? drawInPage(chart, loaded, { ...size, window: wanted.window, isWhole: this.#isWhole })
        : drawHistoryOf(history, { ...wanted, ...size }, { ...size, title: chart.title });
    const focusedIndex = this.#focusedSlice();
    this.#drawing?.svg?.remove();
    this.#links?.remove();
    if (typeof drawing === 'string') {
      this.#drawing = undefined;
      this.#cursor.remove();
      this.#message.show(chart.title, drawing);
      this.#updateToolbar();
      return;
    }
    this.#drawing = drawing;
    const { content, svg, readable, words, marks } = drawing;
    if (svg !== undefined) this.#stage.prepend(svg);
    if (readable === undefined) this.#cursor.remove();
    else this.#cursor.show(readable);
    this.#links = marks && loaded.later?.makeEventLinks(marks, { tip: this.#tip, zoom: this.#zoom });
    if (this.#links !== undefined) this.#stage.append(this.#links);
    if (words !== undefined && svg !== undefined) {
      const names = words.map(({ strong }) => strong);
      const isOuter = this.#openHistory === undefined && loaded.chart.form === 'drilldown';
      const canOpen = (index: number) =>
        history === undefined
          ? loaded.later?.openSliceLater(chart, index) !== undefined
          : isOuter && names[index] !== undefined;
      const open = (index: number) =>
        history === undefined ? this.#open(index) : void this.#openPast(history, names[index] ?? '');
      const choose = isOpened ? undefined : this.#chooseShares;
      loaded.later?.addCursorLater({ filter, choose, svg, words, canOpen, open, tip: this.#tip });
      if (focusedIndex !== undefined) this.#focusSlice(focusedIndex);
    }
    if (history !== undefined) {
      if (this.#table !== undefined) void this.#showTable();
      this.#updateToolbar();
      return;
    }
    if (content.kind === 'none' || content.kind === 'broken')
      this.#message.show(chart.title, sentences[content.kind]);
    if (this.#table !== undefined || content.kind === 'table') void this.#showTable();
    this.#updateToolbar();
  }

  /** Announces the description of the drawing to screen readers. */
  announce(): void {
    this.#said.textContent = this.#drawing?.description ?? '';
  }

  #clear(): void {
    this.#shown = undefined;
    this.#openIndex = undefined;
    this.#openHistory = undefined;
    this.#drawing?.svg?.remove();
    this.#drawing = undefined;
    this.#links?.remove();
    this.#table?.remove();
    this.#table = undefined;
    this.#cursor.remove();
    this.#updateToolbar();
  }

  /** The chart with the title of the element, or its open slice. */
  #visibleChart(): ChartToDraw | undefined {
    if (this.#shown === undefined) return undefined;
    const { loaded, title = loaded.chart.title } = this.#shown;
    const chart = { ...loaded.chart, title };
    const opened =
      this.#openIndex === undefined ? undefined : loaded.later?.openSliceLater(chart, this.#openIndex);
    if (opened === undefined) this.#openIndex = undefined;
    return opened ?? chart;
  }

  #open(index: number): void {
    this.#openIndex = index;
    this.redraw();
    this.#toolbar?.focusBack();
    this.announce();
  }

  async #openPast(history: LoadedHistory, name: string): Promise<void> {
    const opened = await history.open(name).catch(() => undefined);
    if (opened === undefined || this.#shown?.loaded.history !== history) return;
    this.#openHistory = opened;
    this.redraw();
    this.#toolbar?.focusBack();
    this.announce();
  }

  #toggleWhole(): void {
    this.#isWhole = !this.#isWhole;
    this.redraw();
  }

  #goBack(): void {
    const index = this.#openIndex;
    this.#openIndex = undefined;
    this.#openHistory = undefined;
    this.redraw();
    if (index !== undefined) this.#focusSlice(index);
    this.announce();
  }

  #toggleTable(): void {
    if (this.#table === undefined) void this.#showTable();
    else {
      this.#table.remove();
      this.#table = undefined;
    }
    this.#updateToolbar();
  }

  async #showTable(): Promise<void> {
    const drawing = this.#drawing;
    const { makeTable } = await import('./explore.ts');
    const chart = this.#visibleChart();
    // Something else may be shown by then.
    if (chart === undefined || drawing === undefined || drawing !== this.#drawing) return;
    const top = this.#table?.scrollTop ?? 0;
    this.#table?.remove();
    const history = this.#openHistory ?? this.#shown?.loaded.history;
    this.#table =
      history === undefined
        ? makeTable(chart, drawing.content, { ...drawing, events: this.#shown?.loaded.events ?? [] })
        : history.makeTable();
    if (this.#table === undefined) return;
    this.#stage.append(this.#table);
    this.#table.scrollTop = top;
    this.#updateToolbar();
  }

  #updateToolbar(): void {
    const { wanted, loaded } = this.#shown ?? {};
    const form = loaded?.chart.form ?? 'other';
    const isOverTime = this.#drawing?.content.kind === 'line' || loaded?.history !== undefined;
    const isTableShown = this.#table !== undefined;
    this.#toolbar?.update({
      window: isOverTime && this.#hasControls ? wanted?.window : undefined,
      lengthMs: loaded?.lengthMs ?? Number.POSITIVE_INFINITY,
      view: form !== 'line' && form !== 'other' && this.#hasControls ? wanted?.view : undefined,
      unit: wanted?.unit ?? 'percent',
      isOpened: this.#openIndex !== undefined || this.#openHistory !== undefined,
      isWhole: this.#isWhole || this.#drawing?.isCut === true ? this.#isWhole : undefined,
      hasTable: this.#drawing?.svg !== undefined,
      isTableShown,
    });
    // Keys must not reach what the table covers.
    if (this.#drawing?.svg !== undefined) this.#drawing.svg.style.visibility = isTableShown ? 'hidden' : '';
    for (const covered of [this.#cursor.element, this.#links])
      if (covered !== undefined) covered.style.visibility = isTableShown ? 'hidden' : '';
  }

  #focusedSlice(): number | undefined {
    const root = this.element.getRootNode();
    const focused = root instanceof ShadowRoot ? root.activeElement : null;
    const index = focused instanceof SVGElement ? focused.dataset['index'] : undefined;
    return index === undefined ? undefined : Number(index);
  }

  #focusSlice(index: number): void {
    const slice = this.#drawing?.svg?.querySelector<SVGElement>(`[data-index="${index}"][role=button]`);
    slice?.focus({ preventScroll: true });
  }
}
