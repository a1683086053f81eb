/** Events in pictures over time: marks, each a thin line with a flag, and their descriptions. */
import type { PluginEvent } from '../model/plugin-event.ts';
import { type DataWindow, lengthOf } from '../model/window.ts';
import { formatDate, formatExact, formatShort, listWords } from './format.ts';
import type { PictureOptions } from './picture.ts';
import type { PlotBox } from './plot-box.ts';
import { coordinate, escapeXml, measureText, textElement } from './svg.ts';
import type { Paint } from './theme.ts';

/** Maximum number of events of a mark that are named individually. */
const maxNamedEvents = 3;

/** Events close to each other. */
export interface EventGroup {
  readonly count: number;
  /** The first events, at most {@link maxNamedEvents}. */
  readonly first: readonly PluginEvent[];
  readonly last: PluginEvent;
}

/** A mark, placed at the first of its events. */
export interface EventMark {
  readonly x: number;
  readonly group: EventGroup;
}

/** Events of a window, grouped by column, so that the number of groups depends only on the columns. */
export interface GatheredEvents {
  readonly groups: readonly EventGroup[];
  /** Newest events, newest first, at most {@link maxNamedEvents}. */
  readonly newest: readonly PluginEvent[];
}

export const noEvents: GatheredEvents = { groups: [], newest: [] };

/** Window and resolution of the picture. */
interface EventColumns {
  /** Events outside the window are ignored. */
  readonly window: DataWindow;
  readonly columnCount: number;
}

/**
 * Adds events to grouped ones. The events must be in ascending order of time, and not earlier than the
 * grouped ones.
 */
export function gatherEvents(
  { groups, newest }: GatheredEvents,
  events: readonly PluginEvent[],
  { window, columnCount }: EventColumns,
): GatheredEvents {
  const { from, to } = window;
  const columnMs = lengthOf(window) / columnCount;
  const columnEnd = (time: number) => from + (Math.floor((time - from) / columnMs) + 1) * columnMs;
  const added = events.filter(({ time }) => time >= from && time < to);
  const gathered = [...groups];
  for (const event of added) {
    const group = { count: 1, first: [event], last: event };
    const last = gathered.at(-1);
    if (last !== undefined && event.time < columnEnd(startOf(last)))
      gathered[gathered.length - 1] = joinGroups(last, group);
    else gathered.push(group);
  }
  const latest = added.slice(-maxNamedEvents).reverse();
  return { groups: gathered, newest: [...latest, ...newest].slice(0, maxNamedEvents) };
}

/** Position of the marks. */
interface MarksPlace {
  readonly box: PlotBox;
  readonly xAt: (timestamp: number) => number;
  readonly options: Pick<PictureOptions, 'leastMarkDistance'>;
}

// In pixels.
const flagWidth = 6;
const flagHeight = 6;
const labelSize = 9;
const gap = 2;

/** Marks of events in a picture. */
export interface EventMarks {
  /**
   * Lists the events: `12 events: 2.4.0 on 5 Jul 2026, 2.3.9 on 1 Jul 2026 and 10 more`; '' without events.
   */
  readonly words: string;
  /** Draws the marks, each with the title of its event or the number of its events, where that has room. */
  readonly draw: (place: MarksPlace, paint: Paint) => string;
}

/** Makes the marks of grouped events. */
export function eventMarks(events: GatheredEvents): EventMarks {
  return {
    words: eventWords(events),
    draw: (place, paint) => drawMarks(placeEvents(events, place), place, paint),
  };
}

function eventWords({ groups, newest }: GatheredEvents): string {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return '';
  const named = newest.map((event) => `${nameOf(event)} on ${formatDate(event.time)}`);
  return `${formatExact(total)} ${total === 1 ? 'event' : 'events'}: ${listWords(named, total - named.length)}`;
}

/** Places one mark for each event or, if events are too close, for several together. */
export function placeEvents(
  { groups }: GatheredEvents,
  { xAt, options: { leastMarkDistance = 0 } }: Omit<MarksPlace, 'box'>,
): readonly EventMark[] {
  const marks: EventMark[] = [];
  for (const group of groups) {
    const x = xAt(startOf(group));
    const last = marks.at(-1);
    const distance = last === undefined ? 0 : flagWidth + numberWidth(last.group) + 2 * gap;
    if (last === undefined || x >= last.x + Math.max(distance, leastMarkDistance)) marks.push({ x, group });
    else marks[marks.length - 1] = { x: last.x, group: joinGroups(last.group, group) };
  }
  return marks;
}

function drawMarks(marks: readonly EventMark[], { box }: MarksPlace, paint: Paint): string {
  if (marks.length === 0) return '';
  const [top, bottom] = [coordinate(box.top - flagHeight), coordinate(box.bottom)];
  const flag = `V${top}h${flagWidth}l-2 3 2 3h-${flagWidth}`;
  const paths = marks.map(
    ({ x, group }) =>
      `<path d="M${coordinate(x)} ${bottom}${flag}"><title>${escapeXml(titleOf(group))}</title></path>`,
  );
  let end = box.left;
  const labels = marks.map(({ x, group }, index) => {
    const text = labelOf(group);
    const width = measureText(text, labelSize);
    const right = x + flagWidth + gap;
    const isRight = right + width <= Math.min(box.right, marks[index + 1]?.x ?? box.right) + gap;
    const label = { x: isRight ? right : x - gap, y: box.top - 0.5, size: labelSize };
    const hasRoom = isRight || x - gap - width > end;
    end = isRight ? right + width : x + flagWidth;
    const anchor = isRight ? undefined : 'end';
    return hasRoom ? textElement(text, { ...label, anchor, attributes: paint.fill('muted') }) : '';
  });
  const colours = `${paint.fillAndStroke('muted')} stroke-opacity=".4" stroke-width=".75"`;
  return `<g${colours}>${paths.join('')}</g>${labels.join('')}`;
}

/** The day of the events, or the first and the last of their days. */
export function daysOf(group: Pick<EventGroup, 'first' | 'last'>): string {
  return [...new Set([startOf(group), group.last.time].map((time) => formatDate(time)))].join(' to ');
}

/** Returns the time of the first event of a group. */
function startOf({ first, last }: Pick<EventGroup, 'first' | 'last'>): number {
  return (first[0] ?? last).time;
}

/** Joins two adjacent groups. */
function joinGroups(a: EventGroup, b: EventGroup): EventGroup {
  return { count: a.count + b.count, first: [...a.first, ...b.first].slice(0, maxNamedEvents), last: b.last };
}

/** The words beside a mark, where they have room: the title of an event, or the number of several. */
function labelOf({ count, last }: EventGroup): string {
  return count === 1 ? nameOf(last, 24) : formatShort(count);
}

function numberWidth(group: EventGroup): number {
  return group.count === 1 ? 0 : measureText(labelOf(group), labelSize);
}

function titleOf({ count, first, last }: EventGroup): string {
  const [start] = first;
  if (start === undefined) return '';
  if (count === 1) return `${nameOf(start)}, ${formatDate(start.time)}`;
  const names =
    count <= maxNamedEvents
      ? first.map((event) => nameOf(event)).join(', ')
      : `${nameOf(start, 20)} to ${nameOf(last, 20)}`;
  return `${formatExact(count)} events, ${daysOf({ first, last })}: ${names}`;
}

/** Returns the title of an event, cut to at most `maxLength` characters. */
function nameOf({ title }: PluginEvent, maxLength = 40): string {
  const characters = Array.from(title);
  return characters.length <= maxLength ? title : `${characters.slice(0, maxLength - 1).join('')}…`;
}
