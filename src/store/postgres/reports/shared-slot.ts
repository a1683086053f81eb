/** The reports of one slot, as one of the collectors that share it knows them. */
import type pg from 'pg';
import { closedSlot, type PluginReport, type Submission } from '../../../model/report-store.ts';
import { collectNames, encodeReport } from '../../reports/report-codec.ts';
import { type JudgedBatch, SlotIndex } from '../../reports/slot-index.ts';
import { bytes, integer, text } from '../../rows.ts';
import { runStatement } from '../postgres-client.ts';
import { maxKnownNames, slotStatements } from './slot-statements.ts';

/**
 * The index of a slot, and the last row of it. Before a collector judges reports it locks the slot and reads the rows that others have added
 * since, so that all judge by the same reports.
 */
export class SharedSlot {
  readonly #start: number;
  readonly #sql: ReturnType<typeof slotStatements>;
  readonly #index = new SlotIndex();
  readonly #numbers = new Map<string, number>();
  #lastRow = 0;

  constructor(start: number) {
    this.#start = start;
    this.#sql = slotStatements(start);
  }

  /** Reads what others have added, without holding them up. */
  async catchUp(connection: pg.Client): Promise<void> {
    while (!(await this.#readPage(connection)));
  }

  /**
   * Adds reports, within a transaction. After its commit {@link add} must be called.
   * @returns undefined if others have added so much that it should be read first.
   * @throws AppError `conflict` for a slot that is frozen or gone.
   */
  async keep(
    connection: pg.Client,
    submissions: readonly Submission[],
    maxPerAddress: number,
  ): Promise<JudgedBatch | undefined> {
    const locked = runStatement(connection, this.#sql.lock);
    const [[isOpen], isCurrent] = await Promise.all([locked, this.#readPage(connection)]);
    // A collector that freezes the slot waits for this transaction, or this one for it.
    if (isOpen === undefined) throw closedSlot(this.#start);
    if (!isCurrent) return undefined;
    await this.#learnNames(connection, submissions);
    const encode = ({ values }: PluginReport) => encodeReport(values, (name) => this.#numbers.get(name) ?? 0);
    const judged = this.#index.judge(submissions, maxPerAddress, encode);
    if (judged.row !== undefined)
      await runStatement(connection, this.#sql.add, [this.#lastRow + 1, judged.row]);
    return judged;
  }

  /** Adds what is committed. */
  add({ row }: JudgedBatch): void {
    if (row === undefined) return;
    this.#index.add(row);
    this.#lastRow++;
  }

  /** Forgets the numbers of names: a transaction that has added some was rolled back. */
  forgetNumbers(): void {
    this.#numbers.clear();
  }

  /** Reads rows after the last one. Returns true if there are no more. */
  async #readPage(connection: pg.Client): Promise<boolean> {
    const rows = await runStatement(connection, this.#sql.page, [this.#lastRow]);
    for (const row of rows) {
      this.#index.add(bytes(row['bytes']));
      this.#lastRow = integer(row['id']);
    }
    const last = rows.at(-1);
    return last === undefined || integer(last['newest']) === this.#lastRow;
  }

  async #learnNames(connection: pg.Client, submissions: readonly Submission[]): Promise<void> {
    const names = new Set<string>();
    for (const { plugins, globalPlugin } of submissions) {
      for (const { values } of plugins) collectNames(values, names);
      if (globalPlugin !== undefined) collectNames(globalPlugin.values, names);
    }
    if (this.#numbers.size > maxKnownNames) this.#numbers.clear();
    const unknown = [...names].filter((name) => !this.#numbers.has(name));
    if (unknown.length === 0) return;
    for (const row of await runStatement(connection, this.#sql.numbers, [unknown]))
      this.#numbers.set(text(row['name']), integer(row['id']));
  }
}
