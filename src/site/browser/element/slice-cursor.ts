/** A cursor on the slices of a pie, moved by pointer and keys. Slices of a drilldown pie open. */
import { formatExact, formatShare } from '../../../draw/format.ts';
import { rankShares } from '../../../draw/shares/rank.ts';
import type { Slice } from '../../../draw/shares/share.ts';
import type { Tip, TipWords } from './tip.ts';

/** A drawn pie, for the cursor. */
interface PieWithCursor {
  readonly svg: SVGSVGElement;
  /** The words of each slice, by its index in the drawing. */
  readonly words: readonly TipWords[];
  /** True if the slice with this index has a second level. */
  readonly canOpen: (index: number) => boolean;
  readonly open: (index: number) => void;
  readonly tip: Tip;
}

/** The words of slices, the largest first, as pies have them. */
export function sliceWords(slices: readonly Slice[]): readonly TipWords[] {
  return rankShares(slices).map(({ entry: { name, value }, part }) => {
    return { strong: name, rest: [`${formatExact(value)} · ${formatShare(part)}`] };
  });
}

/** Adds tooltips and keys to a drawn pie, for as long as the drawing exists. */
export function addSliceCursor({ svg, words, canOpen, open, tip }: PieWithCursor): void {
  // A slice and its row in the legend.
  const groups = [...svg.querySelectorAll<SVGGElement>('[data-index]')];
  const buttons = new Map<string, SVGGElement>();
  for (const group of groups) {
    const index = indexOf(group);
    // Areas of a history are under the cursor on time.
    if (!canOpen(Number(index)) || group.localName === 'path') continue;
    group.dataset['opens'] = '';
    if (!buttons.has(index)) buttons.set(index, group);
  }
  const order = [...buttons.values()];
  if (order.length > 0) svg.setAttribute('role', 'group');
  for (const [index, slice] of buttons) {
    const { strong = '', rest = [] } = words[Number(index)] ?? {};
    slice.setAttribute('role', 'button');
    slice.setAttribute('aria-label', `${strong}: ${rest}, open`);
    slice.setAttribute('tabindex', slice === order[0] ? '0' : '-1');
    // On the slices alone: with such a listener, the whole drawing could be focused.
    slice.addEventListener('focus', () => {
      const { left, top, width, height } = slice.getBoundingClientRect();
      showAt(slice, left + width / 2, top + height / 2);
    });
    slice.addEventListener('blur', stop);
  }
  const titles = takeTitles(svg);

  svg.addEventListener('pointermove', ({ target, clientX, clientY }) =>
    showAt(target, clientX, clientY + 16),
  );
  svg.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse') stop();
  });
  // What a finger has shown stays until the next tap anywhere.
  svg.addEventListener('pointerup', ({ pointerType, target, clientX, clientY }) => {
    if (pointerType === 'mouse') return;
    showAt(target, clientX, clientY + 16);
    addEventListener('pointerdown', stop, { once: true, capture: true });
  });
  svg.addEventListener('click', ({ target }) => openAt(target));
  svg.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const at = order.indexOf(target as SVGGElement);
    if (at === -1 || ctrlKey || metaKey || altKey) return;
    if (/^Arrow/.test(key)) focusOn(at + (/Right|Down/.test(key) ? 1 : -1));
    else if (key === 'Enter' || key === ' ') openAt(target);
    else if (key === 'Escape') stop();
    else return;
    event.preventDefault();
  });

  function focusOn(wanted: number): void {
    const at = (wanted + order.length) % order.length;
    for (const [index, slice] of order.entries()) slice.setAttribute('tabindex', index === at ? '0' : '-1');
    order[at]?.focus();
  }

  function showAt(target: EventTarget | null, clientX: number, clientY: number): void {
    const element = target instanceof Element ? target : svg;
    const index = indexOf(element.closest('[data-index]'));
    const shown = titles.get(element) ?? words[index === '' ? -1 : Number(index)];
    if (shown === undefined) {
      stop();
      return;
    }
    mark(index);
    const { left, top } = svg.getBoundingClientRect();
    tip.show(shown, clientX - left, clientY - top);
  }

  function stop(): void {
    mark('');
    tip.hide();
  }

  /** Fades the others. */
  function mark(index: string): void {
    for (const group of groups) group.classList.toggle('off', index !== '' && indexOf(group) !== index);
  }

  function openAt(target: EventTarget | null): void {
    const group = target instanceof Element ? target.closest('[data-opens]') : null;
    if (group === null) return;
    stop();
    open(Number(indexOf(group)));
  }
}

function indexOf(group: Element | null): string {
  return group?.getAttribute('data-index') ?? '';
}

/** Removes the titles of parts and of "Other", which the browser would show as tooltips of its own. */
function takeTitles(svg: SVGSVGElement): Map<Element, TipWords> {
  const words = new Map<Element, TipWords>();
  for (const title of svg.querySelectorAll('title')) {
    const path = title.parentElement;
    const [, strong = '', rest = ''] = /^(.*) (\S+)$/s.exec(title.textContent) ?? [];
    if (path !== null && !path.matches('[data-index]>:first-child'))
      words.set(path, { strong, rest: [rest] });
    title.remove();
  }
  return words;
}
