/** Event marks on a chart over time. They are links, which together take one stop of the Tab key. */
import {
  daysOf,
  type EventGroup,
  type EventMark,
  type EventMarks,
  eventMarks,
  gatherEvents,
  noEvents,
  placeEvents,
} from '../../../draw/events.ts';
import { formatDateTime } from '../../../draw/format.ts';
import { columnCountFor } from '../../../draw/line/line-columns.ts';
import type { TimeLayout } from '../../../draw/line/line-layout.ts';
import type { PlotBox } from '../../../draw/plot-box.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { type DataWindow, roundedWindow } from '../../../model/window.ts';
import { button, element, moveByArrows } from '../elements.ts';
import { type DrawingActions, inPage, type TipWords } from './drawing.ts';

/** Events of a chart over time. */
export interface ChartMarks {
  readonly marks: EventMarks;
  /**
   * Makes the links over the marks of a drawing. A link shows its event in the tooltip; a link for several
   * events zooms into their time.
   */
  readonly linksOn: (layout: Pick<TimeLayout, 'box' | 'time'>, actions: LinkActions) => HTMLElement;
}

/** Makes the marks of the events within the window of a drawing; undefined if there are none. */
export function marksOf(
  events: readonly PluginEvent[],
  { window, width }: { readonly window: DataWindow; readonly width: number },
): ChartMarks | undefined {
  const gathered = gatherEvents(noEvents, events, { window, columnCount: columnCountFor(width) });
  if (gathered.groups.length === 0) return undefined;
  return {
    marks: eventMarks(gathered),
    linksOn: ({ box, time }, actions) =>
      makeLinks(box, placeEvents(gathered, { xAt: time.xAt, options: inPage }), actions),
  };
}

type LinkActions = Pick<DrawingActions, 'tip' | 'zoom'>;

/**
 * Offset from the left and bottom edge of a link to its mark, in pixels; links are 24 pixels wide and high.
 */
const linkLeft = 9;
const linkBottom = 6;

function makeLinks(box: PlotBox, marks: readonly EventMark[], { tip, zoom }: LinkActions): HTMLElement {
  const bar = element('div', { class: 'events', part: 'events', 'aria-label': 'Events' });
  for (const { x, group } of marks) {
    const words = wordsOf(group);
    const link = linkOf(group, zoom);
    link.setAttribute('aria-label', [words.strong, ...words.rest].join(', '));
    link.style.left = `${x - linkLeft}px`;
    link.style.top = `${box.top - 24 + linkBottom}px`;
    const show = () => tip(words, x, box.top + linkBottom);
    link.addEventListener('focus', show);
    link.addEventListener('blur', () => tip());
    link.addEventListener('pointerenter', ({ pointerType }) => {
      if (pointerType === 'mouse') show();
    });
    link.addEventListener('pointerleave', ({ pointerType }) => {
      if (pointerType === 'mouse') tip();
    });
    // The first tap with a finger shows the event, and the second follows the link.
    let isFirstTap = false;
    link.addEventListener('pointerdown', ({ pointerType }) => {
      isFirstTap = pointerType !== 'mouse' && !link.matches(':focus');
    });
    const onClick = (event: Event) => {
      if (isFirstTap) {
        event.preventDefault();
        event.stopImmediatePropagation();
        link.focus();
      }
      isFirstTap = false;
    };
    link.addEventListener('click', onClick, { capture: true });
    bar.append(link);
  }
  moveByArrows(bar);
  return bar;
}

function linkOf({ count, first, last }: EventGroup, zoom: LinkActions['zoom']): HTMLElement {
  const [event] = first;
  if (count === 1 && event !== undefined && event.url !== null)
    return element('a', { href: event.url, rel: 'nofollow noopener' });
  const isOne = event === undefined || event.time === last.time;
  return button('', { onClick: () => (isOne ? undefined : zoom(roundedWindow(event.time, last.time + 1))) });
}

/** Returns the tooltip of a mark: title, time and URL of a single event, or the names of several. */
function wordsOf({ count, first, last }: EventGroup): TipWords {
  const [event] = first;
  if (count === 1 && event !== undefined)
    return {
      strong: event.title,
      rest: [formatDateTime(event.time), ...(event.url === null ? [] : [event.url.slice(0, longestUrl)])],
    };
  const days = daysOf({ first, last });
  const names = first.map(({ title }) => title);
  const more = count - names.length;
  return { strong: `${count} events`, rest: [days, ...names, ...(more > 0 ? [`and ${more} more`] : [])] };
}

/** Maximum number of characters of a URL in a tooltip. */
const longestUrl = 80;
