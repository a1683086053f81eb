/** The words in place of a drawing: that a chart is loading, has no data, or failed. */
import { button, element } from '../elements.ts';

/** The message of one chart, over the fallback content of its element. */
export class ChartMessage {
  readonly #fallback = element('slot');
  readonly #words = element('div', { class: 'message', part: 'message' });
  /** The two for the stage. */
  readonly elements = [this.#fallback, this.#words] as const;

  /** True while words are shown, and no picture below them. */
  get isShown(): boolean {
    return this.#words.hidden === false && this.#fallback.hidden === true;
  }

  /** Shows the fallback content, or that the chart is loading. */
  showLoading(): void {
    this.#fallback.hidden = false;
    this.#words.className = 'message late';
    this.#words.replaceChildren('Loading…');
    this.#words.hidden = this.#fallback.assignedElements().length > 0;
  }

  /** Shows a sentence below the name of the chart, with a button if `retry` is given. */
  show(name: string, sentence: string, retry?: () => void): void {
    this.#fallback.hidden = true;
    this.#words.className = 'message';
    this.#words.replaceChildren(element('b', {}, name), element('span', {}, sentence));
    if (retry !== undefined) this.#words.append(button('Try again', { part: 'button', onClick: retry }));
    this.#words.hidden = false;
  }

  /** Leaves the place to a drawing. */
  hide(): void {
    this.#fallback.hidden = true;
    this.#words.hidden = true;
  }
}
