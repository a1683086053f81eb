/** The tooltip at the pointer or the cursor. */
import { element } from '../elements.ts';

const gap = 12;

/** The words of a tooltip: bold ones, and those below. */
export interface TipWords {
  readonly strong: string;
  /** A line each. */
  readonly rest: readonly string[];
  /** Shown in place of these words. */
  readonly shown?: { readonly heading: string; readonly content: HTMLElement };
}

/** The tooltip of one chart; hidden at first. */
export class Tip {
  readonly element = element('div', { class: 'tip', part: 'tip', 'aria-hidden': 'true', hidden: '' });
  readonly #strong = element('b', { dir: 'auto' });
  readonly #rest = element('div');

  constructor() {
    this.element.append(this.#strong, this.#rest);
  }

  /** Shows words beside a point of the stage, within its width. */
  show(words: TipWords, x: number, y: number): void {
    const { strong, rest, shown } = words;
    this.#strong.textContent = shown?.heading ?? strong;
    this.#rest.replaceChildren(...(shown ? [shown.content] : rest.map((line) => element('div', {}, line))));
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height, parentElement } = this.element;
    const room = parentElement?.clientWidth ?? 0;
    const isLeft = x + gap + width > room && x - gap - width >= 0;
    const left = isLeft ? x - gap - width : Math.min(x + gap, room - width);
    const top = Math.max(0, Math.min(y, (parentElement?.clientHeight ?? 0) - height));
    this.element.style.transform = `translate(${Math.round(Math.max(0, left))}px,${Math.round(top)}px)`;
  }

  /** Hides the tooltip. */
  hide(): void {
    this.element.hidden = true;
  }
}
