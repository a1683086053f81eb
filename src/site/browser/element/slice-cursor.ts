/** Pointer and keyboard control for the slices of a pie. Slices of a drilldown pie can be opened. */
import { isolateShare, type ShareFilter, shareTest, toggleShare } from '../../state/share-filter.ts';
import type { DrawingActions, TipWords } from './drawing.ts';

/** A drawing with slices or areas. */
interface DrawnSlices {
  readonly svg: SVGSVGElement;
  /** Tooltip of each slice, by its index in the drawing. */
  readonly words: readonly TipWords[];
  /** Returns true if the slice with this index has inner shares. */
  readonly canOpen: (index: number) => boolean;
  readonly filter: ShareFilter | undefined;
}

/** Handlers of the slices. */
interface SliceActions extends Pick<DrawingActions, 'tip' | 'open'> {
  /** Called when shares are shown or hidden; undefined if they cannot be. */
  readonly choose: DrawingActions['choose'] | undefined;
}

/** Adds tooltips and keyboard control to a drawn pie; they last as long as the drawing. */
export function addSliceCursor(
  { svg, words, canOpen, filter }: DrawnSlices,
  { open, choose, tip }: SliceActions,
): undefined {
  // A slice and its row in the legend share an index.
  const groups = [...svg.querySelectorAll<SVGGElement>('[data-index]')];
  const buttons = new Map<string, SVGGElement>();
  for (const group of groups) {
    const index = indexOf(group);
    // The areas of a history are covered by the time cursor, so only legend rows count there.
    const isRow = choose !== undefined && words.length > 1 && group.querySelector(':scope>rect') !== null;
    const opens = canOpen(Number(index));
    if (group.localName === 'path' || !(opens || isRow)) continue;
    if (isRow) addHitArea(group);
    if (opens) group.dataset['opens'] = '';
    if (!buttons.has(index)) buttons.set(index, group);
  }
  const order = [...buttons.values()];
  const isShown = shareTest(filter);
  if (order.length > 0) svg.setAttribute('role', 'group');
  for (const [index, slice] of buttons) {
    const { strong = '', rest = [] } = words[Number(index)] ?? {};
    slice.setAttribute('role', 'button');
    if (slice.dataset['opens'] === undefined) slice.setAttribute('aria-pressed', String(isShown(strong)));
    // The accessible name must contain the visible text (WCAG 2.5.3), so it is built from the texts of the
    // row.
    const texts = [...slice.querySelectorAll('text')];
    for (const text of texts) text.after(' ');
    const [seen = '', ...values] = texts.map(({ textContent }) => textContent);
    const label = seen === '' ? `${strong}: ${rest}` : `${seen}: ${values.join(' ')}`;
    slice.setAttribute('aria-label', `${label}${slice.dataset['opens'] === undefined ? '' : ', open'}`);
    slice.setAttribute('tabindex', slice === order[0] ? '0' : '-1');
    // Listens on each slice: a listener on the drawing would make the whole drawing focusable.
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
  // A tooltip shown by a finger stays until the next tap anywhere.
  svg.addEventListener('pointerup', ({ pointerType, target, clientX, clientY }) => {
    if (pointerType === 'mouse') return;
    showAt(target, clientX, clientY + 16);
    addEventListener('pointerdown', stop, { once: true, capture: true });
  });
  svg.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return;
    const slice = event.target.closest<SVGGElement>('[data-opens],[data-row]');
    // In a row that opens a slice, the colour key is the switch that shows or hides the share.
    if (slice !== null) press(slice, event, event.target.matches('rect:not(.hit)'));
  });
  svg.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const at = order.indexOf(event.target as SVGGElement);
    const slice = order[at];
    const isPress = key === 'Enter' || key === ' ';
    if (slice === undefined || ctrlKey || metaKey || (altKey && !isPress)) return;
    if (isPress) press(slice, event, key === ' ');
    else if (/^Arrow/.test(key)) focusOn(at + (/Right|Down/.test(key) ? 1 : -1));
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
    tip(shown, clientX - left, clientY - top);
  }

  function stop(): void {
    mark('');
    tip();
  }

  /**
   * Opens a slice. A switch instead shows or hides its share; with Alt, Shift or a double click, it shows
   * this share alone.
   */
  function press(
    slice: SVGGElement,
    { altKey, shiftKey, detail }: MouseEvent | KeyboardEvent,
    isSwitch: boolean,
  ): void {
    const index = Number(indexOf(slice));
    const name = words[index]?.strong ?? '';
    const isAlone = altKey || shiftKey || detail === 2;
    stop();
    if (slice.matches('[data-opens]') && !(isSwitch || isAlone)) open({ index, name });
    else choose?.(isAlone ? isolateShare(filter, name) : toggleShare(filter, name));
  }

  /** Fades all other slices. */
  function mark(index: string): void {
    for (const group of groups) group.classList.toggle('off', index !== '' && indexOf(group) !== index);
  }
}

/** Adds a rectangle to a legend row, so that the gaps between its texts can be clicked too. */
function addHitArea(row: SVGGElement): void {
  row.dataset['row'] = '';
  const { x, y, width, height } = row.getBBox();
  const area = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ x, y, width, height, class: 'hit', fill: 'transparent' }))
    area.setAttribute(name, `${value}`);
  row.prepend(area);
}

function indexOf(group: Element | null): string {
  return group?.getAttribute('data-index') ?? '';
}

/**
 * Removes the titles of parts and of "Other", which browsers would show as tooltips; returns them for our
 * own.
 */
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
