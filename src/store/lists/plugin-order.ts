/**
 * The plugins of a store, or of one software, in the order of an index: pages after a place, and the place
 * after a number of plugins.
 */

import type { PluginKey, PluginSort } from '../../model/plugin-list.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { type Sql, smallestKey } from '../sql.ts';
import { column, integer, orNull, type Statement, sortable, statement, type Value } from '../statement.ts';

/** The table and the columns of each order. */
const orders: Readonly<
  Record<PluginSort, { readonly table: string; readonly id: string; readonly value: string }>
> = {
  servers: { table: 'plugin_now', id: 'plugin_id', value: 'servers' },
  players: { table: 'plugin_now', id: 'plugin_id', value: 'players' },
  '7d': { table: 'plugin_trend', id: 'plugin_id', value: 'week_change' },
  '28d': { table: 'plugin_trend', id: 'plugin_id', value: 'month_change' },
  name: { table: 'plugin', id: 'id', value: 'name_key' },
  id: { table: 'plugin', id: 'id', value: 'id' },
};

/** The table with an order's value. */
export function valueTable(sort: PluginSort): string {
  return orders[sort].table;
}

/** Renders the column of an order's value, for a join of `plugin_now` with the table of the order. */
export function valueColumn(sort: PluginSort): string {
  return sort === 'id' ? 'plugin_now.plugin_id' : `${orders[sort].table}.${orders[sort].value}`;
}

/** The number of index entries that one statement skips, which takes about a millisecond. */
const passedAtOnce = 16_384;

/**
 * An order of plugins. In its statements, ?1 is the software or null, ?2 is usually a count, and the values
 * of a place follow.
 */
export class PluginOrder {
  readonly #sql: Sql;
  readonly #software: number | null;
  readonly #isDescending: boolean;
  readonly #mayBeNull: boolean;
  /** The columns of the order. */
  readonly #id: string;
  readonly #value: string;
  /** The table, and the condition for the plugins in the list. */
  readonly #from: string;

  /** @param isGlobal false excludes global plugins. */
  constructor(
    sql: Sql,
    options: {
      readonly sort: PluginSort;
      readonly descending: boolean;
      readonly softwareId: number | undefined;
      readonly isGlobal: false | undefined;
    },
  ) {
    const { table, id, value } = orders[options.sort];
    this.#sql = sql;
    this.#software = options.softwareId ?? null;
    this.#isDescending = options.descending;
    this.#mayBeNull = table !== 'plugin';
    const ofSoftware = options.softwareId === undefined ? 'cast(?1 as bigint) is null' : 'software_id = ?1';
    const notGlobal = options.isGlobal === false ? ' and not is_global' : '';
    this.#id = id;
    this.#value = value;
    this.#from = `from ${table} where ${ofSoftware}${notGlobal}`;
  }

  /** Lists the keys of the first plugins after a place. */
  async list(after: PluginKey | undefined, limit: number): Promise<PluginKey[]> {
    const found = after === undefined ? [] : await this.#listEqual(after, limit);
    if (after?.value === null || found.length === limit) return found;
    const beyond = await this.#listBeyond(after?.value, limit - found.length);
    // A backward scan returns equal values by descending id, and the limit may cut off the last group of
    // them: read that group again in order.
    const groups = [...Map.groupBy(beyond, ({ value }) => value).values()];
    const cut = found.length + beyond.length < limit ? null : groups.pop()?.[0]?.value;
    for (const group of groups) found.push(...group.sort((a, b) => a.id - b.id));
    if (cut === undefined || found.length === limit || (cut === null && !this.#mayBeNull)) return found;
    return [...found, ...(await this.#listEqual({ id: smallestKey, value: cut }, limit - found.length))];
  }

  /** Finds the key of the last of the first `count` plugins; undefined if there are fewer. */
  async skip(count: number): Promise<PluginKey | undefined> {
    let place: PluginKey | undefined;
    for (let left = count; left > 0; left -= passedAtOnce) {
      const passed = await this.#pass(place, Math.min(left, passedAtOnce));
      if (typeof passed === 'number') return this.#skipWithoutValue(left - passed);
      place = passed;
      await nextTurn();
    }
    return place;
  }

  /** Skips plugins with a value. Returns the key of the last of them, or their number if there are fewer. */
  async #pass(place: PluginKey | undefined, count: number): Promise<PluginKey | number> {
    let left = count;
    if (place !== undefined) {
      const equal = await this.#equalAt(place, left);
      if (equal !== undefined) return equal;
      left -= await this.#count(`${this.#value} = ?3 and ${this.#id} > ?2`, place.id, place.value);
    }
    const [condition, values] = this.#beyond(place?.value);
    const end = `${this.#indexOrder} limit 1 offset ?2`;
    const [last] = await this.#read(this.#keys(condition, end), left - 1, ...values);
    if (last === undefined) {
      const rest = `select ${this.#id} ${this.#from} and ${condition} ${this.#indexOrder} limit ?2`;
      const restSql = statement`select count(*) as ${column('count', integer)} from (${rest}) as rest`;
      const [counted] = await this.#read(restSql, left, ...values);
      return count - left + Number(counted?.count);
    }
    if (!this.#isDescending) return last;
    // Among equal values, a descending scan begins with the largest ids, but the list with the smallest: skip
    // as many from the other end.
    const passed = await this.#count(`${this.#value} = ?3 and ${this.#id} >= ?2`, last.id, last.value);
    return (await this.#equalAt({ id: smallestKey, value: last.value }, passed)) ?? last;
  }

  async #skipWithoutValue(count: number): Promise<PluginKey | undefined> {
    let place: PluginKey | undefined = { id: smallestKey, value: null };
    for (let left = count; left > 0 && place !== undefined; left -= passedAtOnce) {
      place = await this.#equalAt(place, Math.min(left, passedAtOnce));
      await nextTurn();
    }
    return place;
  }

  async #count(condition: string, ...values: readonly Value[]): Promise<number> {
    const countSql = statement`
      select count(*) as ${column('count', integer)} ${this.#from} and ${condition}`;
    const [row] = await this.#read(countSql, ...values);
    return Number(row?.count);
  }

  /** Finds the plugin `count` places after a plugin, among those with the same value. */
  async #equalAt(place: PluginKey, count: number): Promise<PluginKey | undefined> {
    const equalSql = this.#equalSql(place, 'limit 1 offset ?2');
    return (await this.#read(equalSql, count - 1, ...placeOf(place)))[0];
  }

  #listEqual(place: PluginKey, limit: number): Promise<PluginKey[]> {
    return this.#read(this.#equalSql(place, 'limit ?2'), limit, ...placeOf(place));
  }

  /**
   * Renders the statement that selects the plugins after a place with the same value. PostgreSQL uses the
   * index for null only if the statement orders by both columns.
   */
  #equalSql({ value }: PluginKey, end: string): Statement<PluginKey> {
    const isEqual = `${this.#value} ${value === null ? 'is null' : '= ?4'}`;
    return this.#keys(`${isEqual} and ${this.#id} > ?3`, `order by ${this.#value}, ${this.#id} ${end}`);
  }

  #listBeyond(value: PluginKey['value'] | undefined, limit: number): Promise<PluginKey[]> {
    const [condition, values] = this.#beyond(value);
    return this.#read(this.#keys(condition, `${this.#indexOrder} limit ?2`), limit, ...values);
  }

  /** The condition for all plugins after those with a value, and the values of the condition. */
  #beyond(value: PluginKey['value'] | undefined): readonly [condition: string, values: readonly Value[]] {
    if (value === undefined) return [`${this.#value} is not null`, []];
    return [`${this.#value} ${this.#isDescending ? '<' : '>'} ?3`, [value]];
  }

  get #indexOrder(): string {
    const direction = this.#isDescending ? 'desc' : 'asc';
    return `order by ${this.#value} ${direction}, ${this.#id} ${direction}`;
  }

  /** Renders the statement that selects keys under a condition. */
  #keys(condition: string, end: string): Statement<PluginKey> {
    return statement`
      select ${this.#id} as ${column('id', integer)}, ${this.#value} as ${column('value', orNull(sortable))}
      ${this.#from} and ${condition} ${end}`;
  }

  #read<R>(select: Statement<R>, ...values: readonly Value[]): Promise<R[]> {
    return this.#sql.read(select, this.#software, ...values);
  }
}

/** The values of a place in a statement: its id, and its value unless that is null. */
function placeOf({ id, value }: PluginKey): readonly Value[] {
  return value === null ? [id] : [id, value];
}
