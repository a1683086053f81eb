/** The content of the shadow root of `<plugin-chart>`: the drawing, its overlay, buttons, messages. */

import type { ChartToDraw } from '../../../draw/chart-content.ts';
import { shareTest } from '../../state/share-filter.ts';
import { element } from '../elements.ts';
import { drawInPage } from './chart-drawing.ts';
import type { LoadedHistory } from './history-view.ts';
import type { ShownChart, ViewActions } from './shown-chart.ts';
import { Stage } from './stage.ts';
import { Toolbar } from './toolbar.ts';

/** The view of one chart. */
export class ChartView {
  readonly element: HTMLElement;
  readonly #stage: Stage;
  readonly #said = element('p', { class: 'said', role: 'status' });
  readonly #bar = element('div', { class: 'bar', part: 'toolbar' });
  readonly #retry: () => void;
  readonly #fail: (error: unknown) => void;
  readonly #zoom: ViewActions['chooseWindow'];
  readonly #chooseShares: ViewActions['chooseShares'];
  readonly #makeToolbar: () => Toolbar;
  /** Made with the first chart: most charts of a page are not seen in a visit. */
  #toolbar: Toolbar | undefined;
  #hasControls = true;
  #shown: ShownChart | undefined;
  /** The history of the open slice. */
  #openHistory: LoadedHistory | undefined;
  /** The index of the open slice of a drilldown pie. */
  #openIndex: number | undefined;

  constructor({ chooseWindow, chooseState, zoomOut, chooseShares, retry, fail }: ViewActions) {
    this.#stage = new Stage({ zoom: chooseWindow, zoomOut });
    this.#retry = retry;
    this.#fail = fail;
    this.#zoom = chooseWindow;
    this.#chooseShares = chooseShares;
    this.#makeToolbar = () =>
      new Toolbar(this.#bar, {
        chooseRange: chooseWindow,
        chooseState,
        zoomOut,
        goBack: () => this.#goBack(),
        toggleTable: () => this.#toggleTable(),
      });
    // The empty title keeps browsers from showing the title of the host as a tooltip.
    this.element = element('div', { class: 'box', part: 'box', title: '' });
    this.element.append(this.#stage.element, this.#bar, this.#said);
  }

  /** The width of drawings in pixels. */
  get width(): number {
    return this.#stage.width;
  }

  /** True while a sentence is shown instead of a drawing. */
  get isMessage(): boolean {
    return this.#stage.message.isShown;
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
    this.#stage.message.showLoading();
  }

  /** Shows a sentence instead of a chart. */
  showMessage(
    sentence: string,
    { name, canRetry }: { readonly name: string; readonly canRetry: boolean },
  ): void {
    this.#clear();
    this.#stage.message.show(name, sentence, canRetry ? this.#retry : undefined);
    this.#said.textContent = name === '' ? sentence : `${name}: ${sentence}`;
  }

  /** Shows a chart, or the same one with newer data. */
  show(shown: ShownChart): void {
    if (shown.loaded.history !== this.#shown?.loaded.history) this.#openHistory = undefined;
    if (shown.loaded.history !== undefined) this.#openIndex = undefined;
    this.#shown = shown;
    this.#toolbar ??= this.#makeToolbar();
    this.#stage.message.hide();
    this.redraw();
  }

  /** Draws again if the element has another size than when it was drawn. */
  fit(): void {
    if (this.#stage.isResized) this.redraw();
  }

  /** Draws again at the current size of the element. */
  redraw(): void {
    const place = this.#stage.takeSize();
    const chart = this.#visibleChart();
    if (this.#shown === undefined || chart === undefined || place === undefined) return;
    const { loaded, wanted } = this.#shown;
    // An open slice has other names.
    const isOpened = this.#openIndex !== undefined || this.#openHistory !== undefined;
    const filter = isOpened ? undefined : this.#shown.filter;
    const history = this.#openHistory ?? loaded.history;
    const drawing = drawInPage({ ...loaded, chart, history }, wanted, {
      ...place,
      isShown: shareTest(filter),
    });
    const focusedIndex = this.#stage.focusedSlice();
    const { tip } = this.#stage;
    this.#stage.draw(drawing, drawing.makeLinks?.({ tip, zoom: this.#zoom }));
    drawing.addSliceCursor?.({
      filter,
      choose: isOpened ? undefined : this.#chooseShares,
      open: (index, name) => (history === undefined ? this.#open(index) : void this.#openPast(history, name)),
      tip,
    });
    if (focusedIndex !== undefined) this.#stage.focusSlice(focusedIndex);
    if (drawing.sentence !== undefined) this.#stage.message.show(chart.title, drawing.sentence);
    else if (this.#stage.hasTable) void this.#showTable();
    this.#updateToolbar();
  }

  /** Announces the description of the drawing to screen readers. */
  announce(): void {
    this.#said.textContent = this.#stage.drawing?.description ?? '';
  }

  #clear(): void {
    this.#shown = undefined;
    this.#openIndex = undefined;
    this.#openHistory = undefined;
    this.#stage.draw(undefined);
    this.#stage.setTable(undefined);
    this.#updateToolbar();
  }

  /** The chart with the title of the element, or its open slice. */
  #visibleChart(): ChartToDraw | undefined {
    if (this.#shown === undefined) return undefined;
    const { loaded, title = loaded.chart.title } = this.#shown;
    const chart = { ...loaded.chart, title };
    const opened =
      this.#openIndex === undefined ? undefined : loaded.shares?.openSlice(chart, this.#openIndex);
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

  #goBack(): void {
    const index = this.#openIndex;
    this.#openIndex = undefined;
    this.#openHistory = undefined;
    this.redraw();
    if (index !== undefined) this.#stage.focusSlice(index);
    this.announce();
  }

  #toggleTable(): void {
    if (this.#stage.hasTable) this.#stage.setTable(undefined);
    else void this.#showTable();
    this.#updateToolbar();
  }

  async #showTable(): Promise<void> {
    const { drawing } = this.#stage;
    const table = await drawing?.loadTable?.().catch(this.#fail);
    // Something else may be shown by then.
    if (!table || drawing !== this.#stage.drawing) return;
    this.#stage.setTable(table);
    this.#updateToolbar();
  }

  #updateToolbar(): void {
    const { wanted, loaded } = this.#shown ?? {};
    const { drawing, hasTable: isTableShown } = this.#stage;
    const form = loaded?.chart.form ?? 'other';
    const isOverTime = drawing?.readable !== undefined || loaded?.history !== undefined;
    this.#toolbar?.update({
      window: isOverTime && this.#hasControls ? wanted?.window : undefined,
      lengthMs: loaded?.lengthMs ?? Number.POSITIVE_INFINITY,
      view: form !== 'line' && form !== 'other' && this.#hasControls ? wanted?.view : undefined,
      unit: wanted?.unit ?? 'percent',
      isOpened: this.#openIndex !== undefined || this.#openHistory !== undefined,
      hasTable: drawing?.svg !== undefined,
      isTableShown,
    });
    this.#stage.cover();
  }
}
