/** Nearness to the window: only charts that are near are loaded. */

/** The distance from the window at which a chart is near, in pixels. */
const nearPx = 300;

/** Those that have begun to observe and whose places have not been looked at yet. */
const begun = new Set<NearWindow>();

/** Tells whether an element is near the window, from the time at which it is put into the page. */
export class NearWindow {
  readonly #element: Element;
  readonly #onChange: () => void;
  readonly #observer: IntersectionObserver;
  #isNear = false;

  constructor(element: Element, onChange: () => void) {
    this.#element = element;
    this.#onChange = onChange;
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.#isNear = entries.at(-1)?.isIntersecting ?? false;
        onChange();
      },
      { rootMargin: `${nearPx}px` },
    );
  }

  /** True if the element was near when it was last looked at. */
  get isNear(): boolean {
    return this.#isNear;
  }

  /** Begins to observe. The first look is before the page is painted, for which an observer would wait. */
  observe(): void {
    this.#observer.observe(this.#element);
    if (begun.size === 0) queueMicrotask(NearWindow.#lookAhead);
    begun.add(this);
  }

  /** Ends it; an element that is not in the page is not near. */
  disconnect(): void {
    this.#observer.disconnect();
    this.#isNear = false;
  }

  static #lookAhead(): void {
    // All places are read before any chart changes, so that the page is laid out once.
    const near = [...begun].filter((one) => !one.#isNear && one.#isInReach());
    begun.clear();
    for (const one of near) {
      one.#isNear = true;
      one.#onChange();
    }
  }

  /** False for an element that is no longer in the page: its width is 0. */
  #isInReach(): boolean {
    const { top, bottom, width } = this.#element.getBoundingClientRect();
    return width > 0 && top < innerHeight + nearPx && bottom > -nearPx;
  }
}
