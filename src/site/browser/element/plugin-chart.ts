/**
 * `<plugin-chart plugin="1337" chart="players" range="30d" theme="auto">`: one chart of a server of the interface. It loads when
 * it is scrolled near, does not move the page, and refreshes every half hour while it is in view.
 */
import { isSamePeriod, type Range } from '../../../model/window.ts';
import { accept } from '../../state/fields.ts';
import { chartAttributeNames, elementFields, type ShownState, shownFields } from '../../state/page-state.ts';
import type { ShareFilter } from '../../state/share-filter.ts';
import { usualRange } from '../../state/shown-window.ts';
import { PartFailure } from '../load-part.ts';
import { chartAddressOf } from './chart-address.ts';
import { ChartView } from './chart-view.ts';
import { elementSheet } from './element-css.ts';
import { fetchChart, hasWindow, isMissing, type LoadedChart, NoSuchChart } from './fetch-chart.ts';
import type { WantedChart } from './line-data.ts';

const refreshMs = 30 * 60 * 1000;

/** Spreads the requests of many pages. */
const jitterMs = 2 * 60 * 1000;

const defaultHeight = 340;
const minHeight = 160;
const maxHeight = 1000;

/** The element. Choosing in it what it shows fires `rangechange`, with `range` or `from` and `to`, `view`, `unit`, and `hide` or `only` in `detail`. */
export class PluginChartElement extends HTMLElement {
  static readonly observedAttributes = [
    'plugin',
    'chart',
    'charts',
    'server',
    ...chartAttributeNames,
    'controls',
    'height',
    'title',
    'empty',
  ];

  readonly #root: ShadowRoot;
  readonly #view: ChartView;
  readonly #resizes: ResizeObserver;
  readonly #nearness: IntersectionObserver;
  #connection: AbortController | undefined;
  #loading: AbortController | undefined;
  #loaded: LoadedChart | undefined;
  #state: ShownState = accept(shownFields, new URLSearchParams());
  #filter: ShareFilter | undefined;
  /** The range that was shown last. */
  #range: Range = usualRange;
  #frame = 0;
  #isNear = false;
  /** The time of the next refresh, and its timer while the chart is in view. */
  #dueAt: number | undefined;
  #refresh = 0;
  #isPartMissing = false;

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: 'open' });
    this.#view = new ChartView({
      chooseWindow: (window) => this.#choose({ window }),
      chooseState: (change) => this.#choose(change),
      chooseShares: (filter) => {
        this.#filter = filter;
        this.#show();
        this.#choose({});
      },
      zoomOut: () => this.#zoomOut(),
      retry: () => (this.#isPartMissing ? location.reload() : this.#reload()),
      fail: (error) => this.#showError(error),
    });
    this.#root.append(this.#view.element);
    this.#resizes = new ResizeObserver(() => {
      if (this.#loaded === undefined) return;
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => this.#view.fit());
    });
    this.#nearness = new IntersectionObserver(
      (entries) => {
        this.#isNear = entries.at(-1)?.isIntersecting ?? false;
        this.#watch();
      },
      { rootMargin: '300px' },
    );
    this.#root.adoptedStyleSheets = [elementSheet()];
    this.#applyHeight();
    this.#view.showLoading();
  }

  /** Starts to observe its size and its visibility. */
  connectedCallback(): void {
    if (this.#connection !== undefined) return;
    this.#connection = new AbortController();
    this.#resizes.observe(this.#view.element);
    this.#nearness.observe(this);
    const { signal } = this.#connection;
    document.addEventListener('visibilitychange', () => this.#watch(), { signal });
  }

  /** Stops everything, unless it has only been moved. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#connection?.abort();
      this.#connection = undefined;
      this.#resizes.disconnect();
      this.#nearness.disconnect();
      this.#isNear = false;
      cancelAnimationFrame(this.#frame);
      // A request that was interrupted is sent again when the element is put back.
      if (this.#loading !== undefined) this.#reload();
      this.#watch();
    });
  }

  /** Applies a changed attribute. */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === 'height') this.#applyHeight();
    else if (name === 'empty') this.#setSmall(after !== null);
    else if (name === 'controls') this.#view.setControls(after !== 'none');
    else if (name === 'title') this.#show();
    else if (chartAttributeNames.includes(name)) this.#readState();
    else this.#reload();
  }

  #applyHeight(): void {
    const height = Number.parseInt(this.getAttribute('height') ?? '', 10) || defaultHeight;
    this.#view.element.style.height = `${Math.min(Math.max(height, minHeight), maxHeight)}px`;
  }

  #watch(): void {
    if (this.#isNear && this.#loaded === undefined && this.#loading === undefined) void this.#load();
    this.#waitForRefresh();
  }

  #waitForRefresh(): void {
    clearTimeout(this.#refresh);
    if (this.#dueAt === undefined || !this.#isNear || document.hidden) return;
    this.#refresh = setTimeout(() => void this.#load({ isRefresh: true }), this.#dueAt - Date.now());
  }

  #reload(): void {
    const isNew = this.#loading === undefined && this.#loaded === undefined && !this.#view.isMessage;
    this.#loading?.abort();
    this.#loading = undefined;
    this.#loaded = undefined;
    if (!isNew) this.#view.showLoading();
    this.#watch();
  }

  /** Several attributes may change at once. */
  #readState(): void {
    queueMicrotask(() => {
      const attributes = Array.from(this.attributes, ({ name, value }) => [name, value]);
      const { filter, ...state } = accept(elementFields, new URLSearchParams(attributes));
      if (JSON.stringify(filter) !== JSON.stringify(this.#filter)) {
        this.#filter = filter;
        this.#show();
      }
      this.#setState(state);
    });
  }

  #choose(change: Partial<ShownState>): void {
    this.#setState({ ...this.#state, ...change });
    const { window, view, unit } = this.#state;
    const shares = this.#filter === undefined ? {} : { [this.#filter.kind]: this.#filter.names };
    const times = typeof window === 'string' ? { range: window } : window;
    const detail = { ...times, view, unit, ...shares };
    this.dispatchEvent(new CustomEvent('rangechange', { detail, bubbles: true, composed: true }));
  }

  #zoomOut(): boolean {
    if (typeof this.#state.window === 'string') return false;
    this.#choose({ window: this.#range });
    return true;
  }

  #setState(state: ShownState): void {
    const before = this.#state;
    const { window } = state;
    if (JSON.stringify(state) === JSON.stringify(before)) return;
    const isSame = isSamePeriod(window, before.window);
    this.#state = state;
    if (typeof window === 'string') this.#range = window;
    const hasAll = this.#loaded !== undefined && hasWindow(this.#loaded, this.#wanted());
    if (this.#loading !== undefined || (this.#loaded !== undefined && !hasAll)) {
      // After zooming, what is loaded is shown at once, and in more detail when it comes.
      if (typeof window !== 'string' && !isSame) this.#show();
      void this.#load();
    } else if (this.#loaded !== undefined) {
      this.#show();
      this.#view.announce();
    }
  }

  #wanted(): WantedChart {
    return { ...this.#state, width: this.#view.width };
  }

  #show(): void {
    if (this.#loaded === undefined) return;
    const title = this.getAttribute('title') || undefined;
    const { view } = this.#state;
    const { history, ...now } = this.#loaded;
    const loaded = view === 'history' && history !== undefined ? this.#loaded : now;
    this.#view.show({ loaded, wanted: this.#wanted(), title, filter: this.#filter });
    this.#fit();
  }

  async #load({ isRefresh = false } = {}): Promise<void> {
    const address = chartAddressOf(this);
    this.#loading?.abort();
    const loading = new AbortController();
    const { signal } = loading;
    this.#loading = loading;
    this.#dueAt = undefined;
    // Data that are there at once need no mark, for which the style of the page is calculated again.
    const marking = setTimeout(() => {
      if (!signal.aborted) this.#setBusy(true);
    });
    try {
      if (address === undefined) throw new NoSuchChart();
      const loaded = await fetchChart(address, this.#wanted());
      if (signal.aborted) return;
      this.#loaded = loaded;
      this.#show();
      if (!isRefresh) this.#view.announce();
    } catch (error) {
      // Old data is better than none.
      if (!signal.aborted && !(isRefresh && this.#loaded !== undefined)) this.#showError(error);
    } finally {
      clearTimeout(marking);
      if (this.#loading === loading) {
        this.#loading = undefined;
        this.#setBusy(false);
        this.#dueAt = Date.now() + refreshMs + Math.random() * jitterMs;
        this.#waitForRefresh();
      }
    }
  }

  /** Marks the element as loading; a page may show its picture meanwhile. */
  #setBusy(isBusy: boolean): void {
    this.ariaBusy = String(isBusy);
    this.#view.setBusy(isBusy);
  }

  #showError(error: unknown): void {
    this.#loaded = undefined;
    this.#isPartMissing = error instanceof PartFailure;
    const canRetry = !isMissing(error);
    const name =
      this.getAttribute('title') || this.querySelector('img')?.alt || this.getAttribute('chart') || '';
    this.#view.showMessage(`This chart ${canRetry ? 'could not be loaded' : 'does not exist'}.`, {
      name,
      canRetry,
    });
    this.#fit();
  }

  /** Makes a chart without a drawing small where that moves nothing that is seen: below the window. */
  #fit(): void {
    const { classList } = this.#view.element;
    if (!this.#view.isMessage) {
      if (classList.contains('small')) this.#setSmall(false);
      return;
    }
    // Right before the page is painted: until then it may still be scrolled to the chart.
    requestAnimationFrame(() => {
      if (this.#view.isMessage && this.getBoundingClientRect().top >= innerHeight) this.#setSmall(true);
    });
  }

  #setSmall(isSmall: boolean): void {
    this.#view.element.classList.toggle('small', isSmall);
    this.style.height = isSmall ? 'auto' : '';
  }
}
