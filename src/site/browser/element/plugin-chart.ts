/**
 * `<plugin-chart plugin="1337" chart="players" range="30d" theme="auto">`: one chart of a server of the
 * interface. It loads when scrolled near, does not shift the layout of the page, and refreshes every half
 * hour while visible.
 */
import type { DataForm } from '../../../model/chart-types.ts';
import { lengthOf, type RangeName } from '../../../model/window.ts';
import { chartAttributeNames, elementFields, hasHistoryForm } from '../../state/chart-state.ts';
import { accept } from '../../state/fields.ts';
import { findWrongTime, usualRange } from '../../state/shown-window.ts';
import { chartsOf, element } from '../elements.ts';
import { LostRequest, retryNow } from '../retry.ts';
import { ChartBox } from './chart-box.ts';
import type { LoadedChart, OpenSlice, WantedChart } from './drawing.ts';
import { elementSheet } from './element-css.ts';
import { fetchKnownChart, loadPart, openSource, PartFailure, windowOfCharts } from './fetch.ts';
import { loadLine } from './line.ts';
import { NoSuchChart } from './server-source.ts';
import type { TimeCursor } from './time-cursor.ts';
import type { fillToolbar } from './toolbar.ts';

/** State of an element: its attributes, and the open slice. */
type ElementState = Omit<WantedChart, 'width'>;

/** A chart with its data, its form, the time between its first and last value, and its cursor. */
interface ShownChart extends LoadedChart {
  readonly form: DataForm;
  readonly lengthMs: number;
  readonly TimeCursor: typeof TimeCursor;
}

const refreshMs = 30 * 60 * 1000;

/** Random delay that spreads the requests of many pages. */
const jitterMs = 2 * 60 * 1000;

const defaultHeight = 340;
const minHeight = 160;
const maxHeight = 1000;

/**
 * The `<plugin-chart>` element. When a reader chooses in it what it shows, it fires `rangechange`, whose
 * `detail` has `range` or `from` and `to`, `view`, `unit`, and `hide` or `only`.
 */
export class PluginChartElement extends HTMLElement {
  static readonly observedAttributes = [
    'plugin',
    'chart',
    'charts',
    'server',
    'files',
    ...chartAttributeNames,
    'controls',
    'table',
    'height',
    'title',
    'empty',
  ];

  readonly #box = element('div', { class: 'box', part: 'box', title: '' });
  readonly #chartBox: ChartBox;
  readonly #bar = element('div', { class: 'bar', part: 'toolbar' });
  readonly #said = element('p', { class: 'said', role: 'status' });
  /** Made with the first chart. */
  #updateButtons: ReturnType<typeof fillToolbar> | undefined;
  readonly #resizes: ResizeObserver;
  readonly #nearness: IntersectionObserver;
  readonly #onVisibility = () => this.#watch();
  /** Identifies the request in progress. */
  #loading: symbol | undefined;
  #loaded: ShownChart | undefined;
  #state: ElementState = accept(elementFields, new URLSearchParams());
  /**
   * Error for an attribute that is not a valid time. The chart shows it, because another window would be
   * misleading.
   */
  #wrongTime: Error | undefined;
  /** The last range shown. */
  #range: RangeName = usualRange;
  #isNear = false;
  /** The lost request that this element waits on. */
  #lost: LostRequest | undefined;
  readonly #onAnswer = () => {
    this.#dueAt = 0;
    this.#watch();
  };
  /** Time from which data is reloaded as soon as the chart is visible, and the timer for it. */
  #dueAt = 0;
  #timer = 0;
  /** Called when the chart that a reader asked for has been drawn. */
  #focusLater: (() => void) | undefined;

  constructor() {
    super();
    this.#chartBox = new ChartBox({
      zoom: (window) => {
        this.#choose({ window });
        // The loaded data is shown at once, and details follow when they arrive.
        if (this.#loading) this.#render();
      },
      zoomOut: () => this.#zoomOut(),
      showHistory: () => this.#choose({ view: 'history' }),
      choose: (filter) => this.#choose({ filter }),
      open: (open) => this.#openSlice(open, () => this.#bar.querySelector<HTMLElement>('.back')?.focus()),
    });
    // An empty title keeps browsers from showing the title of the host as a tooltip.
    this.#box.append(this.#chartBox.element, this.#bar, this.#said);
    const root = this.attachShadow({ mode: 'open' });
    root.append(this.#box);
    root.adoptedStyleSheets = [elementSheet()];
    this.#resizes = new ResizeObserver(() => {
      requestAnimationFrame(() => {
        if (this.#chartBox.isResized) this.#render();
      });
    });
    this.#nearness = new IntersectionObserver(
      (entries) => {
        this.#isNear = entries.at(-1)?.isIntersecting ?? false;
        this.#watch();
      },
      { rootMargin: '300px' },
    );
    this.#applyHeight();
    this.#chartBox.showLoading();
  }

  /** Starts observing size and visibility. */
  connectedCallback(): void {
    this.#resizes.observe(this.#chartBox.element);
    this.#nearness.observe(this);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /** Stops everything, unless the element has only been moved. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      document.removeEventListener('visibilitychange', this.#onVisibility);
      this.#resizes.disconnect();
      this.#nearness.disconnect();
      this.#isNear = false;
      // Sends an interrupted request again when the element is reattached.
      if (this.#loading !== undefined || this.#lost !== undefined) this.#reload();
      this.#watch();
    });
  }

  /** Applies a changed attribute. */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === 'height' || name === 'controls') this.#applyHeight();
    if (name === 'height') return;
    if (name === 'empty') this.#setSmall(after !== null);
    else if (name === 'table') void this.#showTable();
    else if (name === 'controls' || name === 'title') this.#render();
    else if (chartAttributeNames.includes(name)) this.#readState();
    else this.#reload();
  }

  /** Sets the height of the drawing and its controls; in a page, the style sheet has it. */
  #applyHeight(): void {
    const height = Number.parseInt(this.getAttribute('height') ?? '', 10) || defaultHeight;
    this.#box.style.height =
      this.getAttribute('controls') === 'page'
        ? '100%'
        : `${Math.min(Math.max(height, minHeight), maxHeight)}px`;
  }

  /** Loads data if it is due and the chart is visible. */
  #watch(): void {
    clearTimeout(this.#timer);
    if (!this.#isNear || document.hidden || this.#loading !== undefined) return;
    const waitMs = this.#dueAt - Date.now();
    if (waitMs > 0) this.#timer = setTimeout(() => this.#watch(), waitMs);
    else void this.#load(this.#loaded !== undefined);
  }

  #reload(): void {
    this.#waitFor(undefined);
    this.#loading = undefined;
    this.#loaded = undefined;
    this.#dueAt = 0;
    this.#state = { ...this.#state, open: undefined };
    this.#chartBox.showLoading();
    this.#updateToolbar();
    this.#watch();
  }

  /** Reads the attributes in a microtask, because several may change at once. */
  #readState(): void {
    queueMicrotask(() => {
      const attributes = Array.from(this.attributes, ({ name, value }) => [name, value]);
      this.#setState({
        ...accept(elementFields, new URLSearchParams(attributes)),
        open: this.#state.open,
      });
      const wrongTime = findWrongTime(Object.fromEntries(attributes));
      const isSame = wrongTime?.message === this.#wrongTime?.message;
      this.#wrongTime = wrongTime;
      if (!isSame) this.#reload();
    });
  }

  #choose(change: Partial<ElementState>): void {
    this.#setState({ ...this.#state, ...change });
    const { window, view, unit, filter } = this.#state;
    const shares = filter === undefined ? {} : { [filter.kind]: filter.names };
    const times = typeof window === 'string' ? { range: window } : window;
    const detail = { ...times, view, unit, ...shares };
    this.dispatchEvent(new CustomEvent('rangechange', { detail, bubbles: true, composed: true }));
  }

  /** Opens a slice, or returns to all slices; then moves the focus. */
  #openSlice(open: OpenSlice | undefined, focus: () => void): void {
    this.#focusLater = focus;
    this.#setState({ ...this.#state, open });
  }

  #zoomOut(): boolean {
    if (typeof this.#state.window === 'string') return false;
    this.#choose({ window: this.#range });
    return true;
  }

  #setState(state: ElementState): void {
    const before = this.#state;
    if (JSON.stringify(state) === JSON.stringify(before)) return;
    this.#state = state.view === before.view ? state : { ...state, open: undefined };
    if (typeof state.window === 'string') this.#range = state.window;
    if (this.#loading === undefined && this.#loaded === undefined) return;
    const hasAll = this.#loading === undefined && this.#loaded?.hasAll(this.#wanted()) === true;
    if (hasAll) {
      this.#render();
      this.#announce();
    } else void this.#load();
  }

  #wanted(): WantedChart {
    return { ...this.#state, width: this.#chartBox.width };
  }

  /** Shows the loaded data in the current state. */
  #render(): void {
    if (this.#loaded === undefined) return;
    this.#bar.hidden = !this.#hasControls && this.#state.open === undefined;
    const size = this.#chartBox.takeSize();
    if (size === undefined) return;
    const title = this.getAttribute('title') || this.#loaded.title;
    const drawing = this.#loaded.draw(this.#wanted(), {
      ...size,
      title,
      isInCard: this.getAttribute('controls') === 'page',
    });
    this.#chartBox.draw(drawing, title, this.#loaded.TimeCursor);
    void this.#showTable();
    this.#focusLater?.();
    this.#focusLater = undefined;
    this.#fit();
  }

  /** Announces the description of the drawing to screen readers. */
  #announce(): void {
    this.#said.textContent = this.#chartBox.drawing?.description ?? '';
  }

  #makeToolbar(fill: typeof fillToolbar) {
    return fill(this.#bar, {
      choose: (change) => this.#choose(change),
      zoomOut: () => this.#zoomOut(),
      goBack: () => {
        const { open } = this.#state;
        this.#openSlice(undefined, () => open && this.#chartBox.focusSlice(open.index));
      },
      toggleTable: () => this.toggleAttribute('table'),
    });
  }

  get #hasControls(): boolean {
    return !['none', 'page'].includes(this.getAttribute('controls') ?? '');
  }

  /** Shows or hides the table of the drawing, according to the attribute. */
  async #showTable(): Promise<void> {
    const { drawing } = this.#chartBox;
    this.#updateToolbar();
    if (!this.hasAttribute('table') || drawing?.table === undefined) {
      this.#chartBox.setTable(undefined);
      return;
    }
    try {
      const part = await loadPart('table', () => import('./table.ts'));
      // The drawing may have changed in the meantime.
      if (this.hasAttribute('table') && drawing === this.#chartBox.drawing)
        this.#chartBox.setTable(part.tableElement(drawing.table(part)));
    } catch (error) {
      this.#showError(error);
      this.#waitFor(error);
    }
  }

  #updateToolbar(): void {
    const { drawing } = this.#chartBox;
    const hasControls = this.#hasControls;
    const { form = 'other', lengthMs = 0 } = this.#loaded ?? {};
    const { window, view, unit } = this.#state;
    const isOverTime = drawing?.readable !== undefined || drawing?.isHistory === true;
    this.#updateButtons?.({
      window: isOverTime && hasControls ? window : undefined,
      lengthMs,
      view: hasHistoryForm(form) && hasControls ? view : undefined,
      hasLadder: this.#loaded?.hasLadder === true,
      unit,
      isOpened: drawing?.isOpened === true,
      hasTable: hasControls && drawing?.svg !== undefined,
      isTableShown: this.hasAttribute('table'),
    });
  }

  async #load(isRefresh = false): Promise<void> {
    const loading = Symbol('loading');
    this.#loading = loading;
    this.#waitFor(undefined);
    this.#setBusy(true);
    try {
      if (this.#wrongTime !== undefined) throw this.#wrongTime;
      const [loaded, { fillToolbar }] = await Promise.all([
        loadChart(this, this.#wanted()),
        loadPart('toolbar', () => import('./toolbar.ts')),
      ]);
      if (this.#loading !== loading) return;
      this.#updateButtons ??= this.#makeToolbar(fillToolbar);
      this.#loaded = loaded;
      this.#render();
      if (!isRefresh) this.#announce();
    } catch (error) {
      if (this.#loading !== loading) return;
      // Keeps the old data if a refresh fails.
      if (!isRefresh) this.#showError(error);
      this.#waitFor(error);
    } finally {
      if (this.#loading === loading) {
        this.#loading = undefined;
        this.#setBusy(false);
        this.#dueAt = Date.now() + refreshMs + Math.random() * jitterMs;
        this.#watch();
      }
    }
  }

  /** Waits on a lost request, and no longer on the previous one. */
  #waitFor(error: unknown): void {
    this.#lost?.waiting.delete(this.#onAnswer);
    this.#lost = error instanceof LostRequest ? error : undefined;
    this.#lost?.waiting.add(this.#onAnswer);
  }

  /** Marks the element as loading; meanwhile the page may show its picture. */
  #setBusy(isBusy: boolean): void {
    this.ariaBusy = String(isBusy);
    this.#box.ariaBusy = String(isBusy);
  }

  #showError(error: unknown): void {
    this.#loaded = this.#focusLater = undefined;
    const wasOpen = this.#state.open !== undefined;
    this.#state = { ...this.#state, open: undefined };
    const isLost = error !== this.#wrongTime;
    const canRetry = isLost && !(error instanceof NoSuchChart);
    const sentence = isLost
      ? `This chart ${canRetry ? 'could not be loaded' : 'does not exist'}.`
      : `${this.#wrongTime?.message}.`;
    const name =
      this.getAttribute('title') || this.querySelector('img')?.alt || this.getAttribute('chart') || '';
    const retry = () => {
      if (error instanceof PartFailure) location.reload();
      else if (error instanceof LostRequest && !wasOpen) retryNow();
      else this.#reload();
    };
    this.#chartBox.showMessage(name, sentence, canRetry ? retry : undefined);
    this.#updateToolbar();
    this.#said.textContent = name === '' ? sentence : `${name}: ${sentence}`;
    this.#fit();
  }

  /** Collapses charts below the viewport that show only a message, so that nothing visible moves. */
  #fit(): void {
    const { classList } = this.#box;
    if (!this.#chartBox.isMessage) {
      if (classList.contains('small')) this.#setSmall(false);
      return;
    }
    // Waits until right before painting, because the page may still scroll to the chart.
    requestAnimationFrame(() => {
      if (this.#chartBox.isMessage && this.getBoundingClientRect().top >= innerHeight) this.#setSmall(true);
    });
  }

  #setSmall(isSmall: boolean): void {
    this.#box.classList.toggle('small', isSmall);
    this.style.height = isSmall ? 'auto' : '';
  }
}

/**
 * Loads the chart or the charts to compare that the attributes name.
 * @throws NoSuchChart, PartFailure, and the errors of `fetch` and `JSON.parse`
 */
async function loadChart(host: HTMLElement, wanted: WantedChart): Promise<ShownChart> {
  const files = host.getAttribute('files');
  const address = URL.parse(files || host.getAttribute('server') || ownServer, document.baseURI);
  const server = address?.href.replace(/\/?(?:[?#].*)?$/, '') ?? '';
  const source = await openSource(server, files !== null);
  const list = host.getAttribute('charts');
  const isOnPage = host.getAttribute('controls') === 'page';
  const charts = await Promise.all(chartsOf(host).map((name) => fetchKnownChart(source, name, isOnPage)));
  const [first] = charts;
  if (first === undefined) throw new NoSuchChart();
  const { form } = first.chart;
  const loadKind = async () => {
    if (list !== null && (form === 'line' || wanted.mode !== 'sum')) {
      const { loadComparison } = await loadPart('comparison', () => import('./comparison.ts'));
      return loadComparison(charts, wanted);
    }
    if (form === 'line') return loadLine(first, wanted);
    const { loadShares } = await loadPart('shares', () => import('./shares.ts'));
    return loadShares(charts, wanted, list !== null);
  };
  const [kind, { TimeCursor }] = await Promise.all([
    loadKind(),
    loadPart('time-cursor', () => import('./time-cursor.ts')),
  ]);
  return { ...kind, form, lengthMs: lengthOf(windowOfCharts(charts, 'all')), TimeCursor };
}

/** Server that this script came from. */
const ownServer = new URL('.', import.meta.url).href;
