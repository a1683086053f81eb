/**
 * The sums of a slot by chart and share. Its log is read once. Sums are kept in memory, and written ordered
 * by key to a private database when there are many, so memory depends on neither the number nor the contents
 * of reports.
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

/** Bytes of a sum beside the letters of its key. */
const sumSize = 20;

/** A sum of lines stays finite. */
const maxSum = Number.MAX_VALUE;

/** The sums of a share by their places, and that of a line for an empty key. */
export type SummedShares = Iterable<readonly [key: string, values: readonly number[]]>;

// SQLite keeps the tables in its page cache, and uses a temporary file beyond it.
const schemaSql = `
  pragma cache_size = -65536;
  pragma journal_mode = off;
  begin;
  create table server (key integer primary key);
  create table address (key integer primary key, count integer);
  create table sum (
    chart text, share text, position integer, value real,
    primary key (chart, share, position)
  ) without rowid;`;

/** The sums. */
export class SlotSums implements Disposable {
  readonly #db = new DatabaseSync('');
  readonly #addServer: StatementSync;
  readonly #addAddress: StatementSync;
  readonly #addSum: StatementSync;
  readonly #listSums: StatementSync;
  /** By plugin and chart, then by share. */
  #charts = new Map<string, Map<string, number[]>>();
  #size = 0;
  /** Most plugins of a large store have no reports. */
  readonly #plugins = new Set<number>();

  constructor() {
    this.#db.exec(schemaSql);
    this.#addServer = this.#db.prepare('insert into server values (?) on conflict do nothing');
    this.#addAddress = this.#db.prepare(
      'insert into address values (?, 1) on conflict do update set count = count + 1 where count < ?',
    );
    this.#addSum = this.#db.prepare(
      'insert into sum values (?, ?, ?, ?) on conflict do update set value = value + excluded.value',
    );
    this.#listSums = this.#db.prepare(
      'select share, value from sum where chart = ? order by share, position',
    );
    this.#listSums.setReturnArrays(true);
  }

  /** Adds up a log. A server that reported to two collectors counts once. */
  async read(log: AsyncIterable<string>): Promise<void> {
    for await (const text of log) for (const report of parseLines(text)) this.#add(report);
    this.#spill();
  }

  /** Lists the sums of a chart, named as by `chartName`; none without reports for it. */
  *list(pluginId: number, chart: string): SummedShares {
    if (!this.#plugins.has(pluginId)) return;
    let share: [key: string, values: number[]] | undefined;
    const rows = this.#listSums.iterate(chartKey(pluginId, chart)) as Iterable<unknown> as Iterable<
      [string, number | null]
    >;
    for (const [key, sum] of rows) {
      // Infinity and its opposite add up to nothing.
      const value = Math.min(Math.max(sum ?? 0, -maxSum), maxSum);
      if (share?.[0] === key) share[1].push(value);
      else {
        if (share !== undefined) yield share;
        share = [key, [value]];
      }
    }
    if (share !== undefined) yield share;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #add(report: LoggedReport): void {
    const { plugins, globalPlugin } = report;
    const counted = plugins.filter(([pluginId]) => this.#counts(report, pluginId));
    for (const plugin of counted) this.#addPlugin(plugin);
    if (globalPlugin !== null && counted.length > 0 && this.#isNew(report, globalPlugin[0]))
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
    this.#plugins.add(pluginId);
    for (const [chart, ...parts] of values) {
      const name = chartKey(pluginId, chart);
      const shares = this.#charts.get(name) ?? new Map<string, number[]>();
      this.#charts.set(name, shares);
      let key = '';
      let position = 0;
      for (const part of parts) {
        if (typeof part !== 'number') {
          key = part;
          position = 0;
          continue;
        }
        let sums = shares.get(key);
        if (sums === undefined) {
          sums = [];
          shares.set(key, sums);
          this.#size += sumSize + key.length;
        }
        sums[position] = (sums[position] ?? 0) + part;
        position++;
      }
    }
  }

  /** Writes the sums in the order of the table, in which rows are found faster. */
  #spill(): void {
    for (const [chart, shares] of [...this.#charts].sort(byKey))
      for (const [share, sums] of [...shares].sort(byKey))
        for (const [position, sum] of sums.entries()) this.#addSum.run(chart, share, position, sum);
    this.#charts = new Map();
    this.#size = 0;
  }
}

function chartKey(pluginId: number, chart: string): string {
  return `${pluginId} ${chart}`;
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
