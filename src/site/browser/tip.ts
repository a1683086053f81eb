/** The small label at a pointer or crosshair: what is there. */
import { element } from './elements.ts';

const gap = 12;

/** What it says: what is there, and about it. */
export interface TipWords {
  readonly strong: string;
  readonly rest: string;
}

/** One label in a chart; hidden until something is shown. */
export class Tip {
  readonly element = element('div', { class: 'tip', part: 'tip', 'aria-hidden': 'true', hidden: '' });
  readonly #strong = element('b', { dir: 'auto' });
  readonly #rest = element('span');

  constructor() {
    this.element.append(this.#strong, this.#rest);
  }

  /** Shows words beside a place of the stage, within its width. */
  show(words: TipWords, x: number, y: number): void {
    this.#strong.textContent = words.strong;
    this.#rest.textContent = words.rest;
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height, parentElement } = this.element;
    const room = parentElement?.clientWidth ?? 0;
    const isLeft = x + gap + width > room && x - gap - width >= 0;
    const left = isLeft ? x - gap - width : Math.min(x + gap, room - width);
    const top = Math.max(0, Math.min(y, (parentElement?.clientHeight ?? 0) - height));
    this.element.style.transform = `translate(${Math.round(Math.max(0, left))}px,${Math.round(top)}px)`;
  }

  /** Takes it away. */
  hide(): void {
    this.element.hidden = true;
  }
}
