/**
 * The sums of a slot by chart and share. Its log is read once: sums are in memory, and written in the order of their keys to a private database
 * when they are many. So neither the number of reports nor what they hold decides about memory.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  keyFor,
  type LoggedReport,
  type PluginReport,
  parseLines,
  type ReportHashes,
} from './report-line.ts';

/** Size of the sums in memory at which they are written: about 200,000 with names of common length. */
const maxSize = 6_000_000;

/** Size of a sum beside the letters of its key. */
const sumSize = 20;

/** A sum of lines stays finite. */
const maxSum = Number.MAX_VALUE;

/** A chart of a slot with what it adds up to. */
export interface SummedChart {
  readonly pluginId: number;
  /** As `chartName`. */
  readonly chart: string;
  /** The sums by the key of a share, and that of a line by an empty one. Each chart must be read before the next. */
  readonly sums: Iterable<readonly [key: string, values: readonly number[]]>;
}

// SQLite keeps the tables in its page cache, and has a temporary file for what is beyond.
const schemaSql = `
  pragma cache_size = -65536;
  pragma journal_mode = off;
  begin;
  create table server (key integer primary key);
  create table address (key integer primary key, count integer);
  create table sum (
    plugin_id integer, chart text, share text, position integer, value real,
    primary key (plugin_id, chart, share, position)
  ) without rowid;`;

/** The sums. */
export class SlotSums implements Disposable {
  readonly #db = new DatabaseSync('');
  readonly #addServer: StatementSync;
  readonly #addAddress: StatementSync;
  readonly #addSum: StatementSync;
  /** By plugin, chart and share. */
  #plugins = new Map<number, Map<string, Map<string, number[]>>>();
  #size = 0;

  constructor() {
    this.#db.exec(schemaSql);
    this.#addServer = this.#db.prepare('insert into server values (?) on conflict do nothing');
    this.#addAddress = this.#db.prepare(
      'insert into address values (?, 1) on conflict do update set count = count + 1 where count < ?',
    );
    this.#addSum = this.#db.prepare(`
      insert into sum values (?1, ?2, ?3, ?4, ?5)
      on conflict do update set value = max(-?6, min(?6, value + excluded.value))`);
  }

  /** Adds up a log. What a server reported to two collectors counts once. */
  async read(log: AsyncIterable<string>): Promise<void> {
    for await (const text of log) for (const report of parseLines(text)) this.#add(report);
    this.#spill();
  }

  /** Reads the charts by plugin id, then chart id bytewise. */
  *charts(): Generator<SummedChart, undefined> {
    const statement = this.#db.prepare('select * from sum order by plugin_id, chart, share, position');
    statement.setReturnArrays(true);
    const rows = statement.iterate() as unknown as Iterator<SumRow, null>;
    const next = () => rows.next().value ?? undefined;
    let row = next();
    function* sumsOf(pluginId: number, chart: string) {
      while (row?.[0] === pluginId && row[1] === chart) {
        const key = row[2];
        const values: number[] = [];
        do {
          values.push(row[4]);
          row = next();
        } while (row?.[0] === pluginId && row[1] === chart && row[2] === key);
        yield [key, values] as const;
      }
    }
    while (row !== undefined) {
      const [pluginId, chart] = row;
      const sums = sumsOf(pluginId, chart);
      yield { pluginId, chart, sums };
      // Those that were not read.
      for (const _ of sums);
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #add(report: LoggedReport): void {
    const { plugins, globalPlugin } = report;
    const counted = plugins.filter(([pluginId]) => this.#counts(report, pluginId));
    for (const plugin of counted) this.#addPlugin(plugin);
    if (globalPlugin !== undefined && counted.length > 0 && this.#isNew(report, globalPlugin[0]))
      this.#addPlugin(globalPlugin);
    if (this.#size > maxSize) this.#spill();
  }

  #counts(report: LoggedReport, pluginId: number): boolean {
    if (!this.#isNew(report, pluginId)) return false;
    return this.#addAddress.run(keyFor(report.address, pluginId), report.maxPerAddress).changes === 1;
  }

  #isNew({ server }: ReportHashes, pluginId: number): boolean {
    return this.#addServer.run(keyFor(server, pluginId)).changes === 1;
  }

  #addPlugin([pluginId, ...values]: PluginReport): void {
    const charts = memberOf(this.#plugins, pluginId, () => new Map<string, Map<string, number[]>>());
    for (const [chart, ...parts] of values) {
      const shares = memberOf(charts, chart, () => new Map<string, number[]>());
      // The number of a line has no key before it.
      let sums = typeof parts[0] === 'number' ? this.#sumsOf(shares, '') : [];
      let position = 0;
      for (const part of parts) {
        if (typeof part === 'number') {
          sums[position] = Math.min(Math.max((sums[position] ?? 0) + part, -maxSum), maxSum);
          position++;
        } else {
          sums = this.#sumsOf(shares, part);
          position = 0;
        }
      }
    }
  }

  #sumsOf(shares: Map<string, number[]>, key: string): number[] {
    return memberOf(shares, key, () => {
      this.#size += sumSize + key.length;
      return [];
    });
  }

  #spill(): void {
    for (const [pluginId, charts] of sorted(this.#plugins))
      for (const [chart, shares] of sorted(charts))
        for (const [key, sums] of sorted(shares))
          for (const [position, sum] of sums.entries())
            this.#addSum.run(pluginId, chart, key, position, sum, maxSum);
    this.#plugins = new Map();
    this.#size = 0;
  }
}

/** A row of the table. */
type SumRow = readonly [pluginId: number, chart: string, key: string, position: number, value: number];

function memberOf<Key, Member>(map: Map<Key, Member>, key: Key, make: () => Member): Member {
  let member = map.get(key);
  if (member === undefined) {
    member = make();
    map.set(key, member);
  }
  return member;
}

/** Sorts the members, nearly in the order of the table: rows that come in its order are found faster. */
function sorted<Key extends number | string, Member>(map: ReadonlyMap<Key, Member>) {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}
