/** The names in the reports of one slot, which have numbers in its rows. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { integer, text } from '../../rows.ts';

/** The most names kept in memory: a few MB. */
const maxKnownNames = 20_000;

/** The names of one slot, on one connection. */
export class SlotNames {
  readonly #numberOf: StatementSync;
  readonly #add: StatementSync;
  readonly #nameOf: StatementSync;
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<number, string>();

  constructor(db: DatabaseSync, start: number) {
    this.#numberOf = db.prepare(`select id from name_${start} where name = ?`);
    this.#add = db.prepare(`insert into name_${start} (name) values (?) returning id`);
    this.#nameOf = db.prepare(`select name from name_${start} where id = ?`);
  }

  /** Gets the number of a name, and adds the name if it is new. */
  getNumber(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = integer((this.#numberOf.get(name) ?? this.#add.get(name))?.['id']);
    if (this.#numbers.size >= maxKnownNames) this.#numbers.clear();
    this.#numbers.set(name, number);
    return number;
  }

  /** Gets the name of a number. */
  getName(number: number): string {
    const known = this.#names.get(number);
    if (known !== undefined) return known;
    const name = text(this.#nameOf.get(number)?.['name']);
    if (this.#names.size >= maxKnownNames) this.#names.clear();
    this.#names.set(number, name);
    return name;
  }
}
