/** The events of a plugin on a chart over time: their marks are links, which are one stop of the Tab key. */
import { EventColumns, type EventGroup, type EventMark } from '../../../draw/events.ts';
import { formatDate, formatDateTime } from '../../../draw/format.ts';
import { columnCountFor } from '../../../draw/line/line-columns.ts';
import type { PlotBox } from '../../../draw/plot-box.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import type { TimeWindow } from '../../../model/window.ts';
import { button, element } from '../elements.ts';
import { rove } from '../roving.ts';
import { roundedWindow } from './rounded-window.ts';
import type { Tip, TipWords } from './tip.ts';

/** The marks of a drawn chart. */
export interface MarkedPlot {
  readonly box: PlotBox;
  readonly marks: readonly EventMark[];
}

/** Gathers the events in the range of a drawing; undefined if there are none. */
export function eventColumnsOf(
  events: readonly PluginEvent[],
  { from, to, width }: { readonly from: number; readonly to: number; readonly width: number },
): EventColumns | undefined {
  const columns = new EventColumns({ from, to, columnCount: columnCountFor(width) });
  columns.add(events);
  return columns.count === 0 ? undefined : columns;
}

/** Handlers of the links. */
export interface LinkActions {
  readonly tip: Tip;
  /** Called with a window around several events that have one mark. */
  readonly zoom: (window: TimeWindow) => void;
}

/** The distance from the left and the bottom of a link to its mark, in pixels; links are 24 pixels wide and high. */
const linkLeft = 9;
const linkBottom = 6;

/** Makes a bar of links over the marks. Each shows its event in the tooltip; one for several events zooms into their time. */
export function makeEventLinks({ box, marks }: MarkedPlot, { tip, zoom }: LinkActions): HTMLElement {
  const bar = element('div', { class: 'events', part: 'events', 'aria-label': 'Events' });
  for (const { x, group } of marks) {
    const words = wordsOf(group);
    const link = linkOf(group, zoom);
    link.setAttribute('aria-label', [words.strong, ...words.rest].join(', '));
    link.style.left = `${x - linkLeft}px`;
    link.style.top = `${box.top - 24 + linkBottom}px`;
    let isShown = false;
    const show = () => {
      isShown = true;
      tip.show(words, x, box.top + linkBottom);
    };
    const hide = () => {
      isShown = false;
      tip.hide();
    };
    link.addEventListener('focus', show);
    link.addEventListener('blur', hide);
    link.addEventListener('pointerenter', ({ pointerType }) => {
      if (pointerType === 'mouse') show();
    });
    link.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType === 'mouse') hide();
    });
    // The first tap of a finger shows the event, the second one follows the link.
    let wasShown = true;
    link.addEventListener('pointerdown', ({ pointerType }) => {
      wasShown = isShown || pointerType === 'mouse';
    });
    const stopFirst = (event: Event) => {
      if (wasShown) return;
      wasShown = true;
      event.preventDefault();
      event.stopImmediatePropagation();
      show();
    };
    link.addEventListener('click', stopFirst, { capture: true });
    bar.append(link);
  }
  rove(bar);
  return bar;
}

function linkOf({ count, first, last }: EventGroup, zoom: LinkActions['zoom']): HTMLElement {
  const [event] = first;
  if (count === 1 && event !== undefined && event.url !== null)
    return element('a', { href: event.url, rel: 'nofollow noopener' });
  const isOne = event === undefined || event.time === last.time;
  return button('', { onClick: () => (isOne ? undefined : zoom(roundedWindow(event.time, last.time + 1))) });
}

/** The words of a mark: of one event its title, its time and its address, of several their names. */
function wordsOf({ count, first, last }: EventGroup): TipWords {
  const [event] = first;
  if (count === 1 && event !== undefined)
    return {
      strong: event.title,
      rest: [formatDateTime(event.time), ...(event.url === null ? [] : [event.url.slice(0, longestUrl)])],
    };
  const days = [...new Set([event ?? last, last].map(({ time }) => formatDate(time)))].join(' to ');
  const names = first.map(({ title }) => title);
  const more = count - names.length;
  return { strong: `${count} events`, rest: [days, ...names, ...(more > 0 ? [`and ${more} more`] : [])] };
}

/** Most characters of an address in a tooltip. */
const longestUrl = 80;
