/** Events reduced to what a picture can show: their number and some of their titles in each column. */
import type { PluginEvent } from '../model/plugin-event.ts';

/** The most events of a mark that are named one by one. */
export const maxNamedEvents = 3;

/** Events that are close to each other. */
export interface EventGroup {
  readonly count: number;
  /** The first ones, at most {@link maxNamedEvents}. */
  readonly first: readonly PluginEvent[];
  readonly last: PluginEvent;
}

/** The part of the events that is shown, and its resolution. */
interface EventColumnsOptions {
  /** The first and the last time, in Unix milliseconds, both included; events outside are left out. */
  readonly from: number;
  readonly to: number;
  readonly columnCount: number;
}

/** Takes events in ascending order of time. Memory depends on the columns alone. */
export class EventColumns {
  readonly #from: number;
  readonly #to: number;
  readonly #columnMs: number;
  readonly #groups: EventGroup[] = [];
  /** The end of the last column with an event. */
  #end = Number.NEGATIVE_INFINITY;
  #newest: readonly PluginEvent[] = [];
  #count = 0;

  constructor({ from, to, columnCount }: EventColumnsOptions) {
    this.#from = from;
    this.#to = to;
    this.#columnMs = (to - from) / columnCount;
  }

  /** The number of events in the range. */
  get count(): number {
    return this.#count;
  }

  /** The newest events, at most {@link maxNamedEvents}, the newest first. */
  get newest(): readonly PluginEvent[] {
    return this.#newest;
  }

  /** The events by column, in the order of time. */
  get groups(): readonly EventGroup[] {
    return this.#groups;
  }

  /** Adds events that are not before those added earlier. */
  add(events: readonly PluginEvent[]): void {
    for (const event of events) if (event.time >= this.#from && event.time <= this.#to) this.#add(event);
  }

  #add(event: PluginEvent): void {
    this.#count++;
    this.#newest = [event, ...this.#newest].slice(0, maxNamedEvents);
    const last = this.#groups.at(-1);
    if (last !== undefined && event.time < this.#end) {
      this.#groups[this.#groups.length - 1] = joinGroups(last, { count: 1, first: [event], last: event });
      return;
    }
    const column = Math.floor((event.time - this.#from) / this.#columnMs);
    this.#end = this.#from + (column + 1) * this.#columnMs;
    this.#groups.push({ count: 1, first: [event], last: event });
  }
}

/** Joins groups, the second of which follows the first. */
export function joinGroups(a: EventGroup, b: EventGroup): EventGroup {
  return { count: a.count + b.count, first: [...a.first, ...b.first].slice(0, maxNamedEvents), last: b.last };
}
