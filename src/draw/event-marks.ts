/** Events as marks on lines and areas: a thin line with a flag, and the number of events if there are several. */
import type { PluginEvent } from '../model/plugin-event.ts';
import { type EventColumns, type EventGroup, joinGroups, maxNamedEvents } from './event-columns.ts';
import { formatDate, formatExact, formatShort } from './format.ts';
import type { PlotBox } from './line/plot-box.ts';
import type { PictureOptions } from './picture.ts';
import { coordinate, escapeXml, measureText, textElement } from './svg.ts';
import type { Paint } from './theme.ts';

/** The position of marks. */
interface MarksPlace {
  readonly box: PlotBox;
  readonly xAt: (timestamp: number) => number;
  readonly options: Pick<PictureOptions, 'leastMarkDistance'>;
}

// In pixels.
const flagWidth = 6;
const flagHeight = 6;
const numberSize = 9;
const gap = 2;

/** A mark at the first of its events. */
export interface EventMark {
  readonly x: number;
  readonly group: EventGroup;
}

/** Draws a mark for each event; several that are too close to each other have one. */
export function drawEventMarks(events: EventColumns, place: MarksPlace, paint: Paint): string {
  const { box } = place;
  const marks = placeMarks(events, place);
  if (marks.length === 0) return '';
  const [top, bottom] = [coordinate(box.top - flagHeight), coordinate(box.bottom)];
  const flag = `V${top}h${flagWidth}l-2 3 2 3h-${flagWidth}`;
  const paths = marks.map(
    ({ x, group }) =>
      `<path d="M${coordinate(x)} ${bottom}${flag}"><title>${escapeXml(titleOf(group))}</title></path>`,
  );
  let end = 0;
  const numbers = marks.map(({ x, group }) => {
    const width = numberWidth(group);
    const right = x + flagWidth + gap;
    const isRight = right + width <= box.right + gap;
    const number = { x: isRight ? right : x - gap, y: box.top - 0.5, size: numberSize };
    const hasRoom = isRight || x - gap - width > end;
    end = isRight ? right + width : x + flagWidth;
    if (width === 0 || !hasRoom) return '';
    const anchor = isRight ? 'start' : 'end';
    return textElement(formatShort(group.count), { ...number, anchor, attributes: paint.fill('muted') });
  });
  const colours = `${paint.fillAndStroke('muted')} stroke-opacity=".4" stroke-width=".75"`;
  return `<g${colours}>${paths.join('')}</g>${numbers.join('')}`;
}

/** Places a mark for each event, and one for those that are too close to each other. */
export function placeMarks(
  { groups }: EventColumns,
  { xAt, options: { leastMarkDistance = 0 } }: Omit<MarksPlace, 'box'>,
): readonly EventMark[] {
  const marks: EventMark[] = [];
  for (const group of groups) {
    const x = xAt(group.first[0]?.time ?? 0);
    const last = marks.at(-1);
    const distance = last === undefined ? 0 : flagWidth + numberWidth(last.group) + 2 * gap;
    if (last === undefined || x >= last.x + Math.max(distance, leastMarkDistance)) marks.push({ x, group });
    else marks[marks.length - 1] = { x: last.x, group: joinGroups(last.group, group) };
  }
  return marks;
}

function numberWidth({ count }: EventGroup): number {
  return count === 1 ? 0 : measureText(formatShort(count), numberSize);
}

function titleOf({ count, first, last }: EventGroup): string {
  const [start] = first;
  if (start === undefined) return '';
  if (count === 1) return `${nameOf(start)}, ${formatDate(start.time)}`;
  const days = [...new Set([start, last].map(({ time }) => formatDate(time)))].join(' to ');
  const names =
    count <= maxNamedEvents
      ? first.map((event) => nameOf(event)).join(', ')
      : `${nameOf(start, 20)} to ${nameOf(last, 20)}`;
  return `${formatExact(count)} events, ${days}: ${names}`;
}

/** The title of an event, of at most `maxLength` characters. */
function nameOf({ title }: PluginEvent, maxLength = 40): string {
  const characters = Array.from(title);
  return characters.length <= maxLength ? title : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Describes events: `12 events: 2.4.0 on 5 Jul 2026, 2.3.9 on 1 Jul 2026 and 10 more`; '' for none. */
export function eventWords({ count, newest }: EventColumns): string {
  if (count === 0) return '';
  const named = newest.map((event) => `${nameOf(event)} on ${formatDate(event.time)}`);
  const rest = count - named.length;
  const last = rest > 0 ? `${formatExact(rest)} more` : (named.pop() ?? '');
  const list = named.length === 0 ? last : `${named.join(', ')} and ${last}`;
  return `${formatExact(count)} ${count === 1 ? 'event' : 'events'}: ${list}`;
}
