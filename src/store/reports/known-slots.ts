/** The slots that a collector takes reports for, in its memory. */

/** The most slots: reports of the minute in which a slot ends are in two, and those that ended before get no more. */
const maxSlots = 2;

/** Slots by their start, the newest ones. */
export class KnownSlots<Slot> {
  readonly #slots = new Map<number, Slot>();

  get(start: number): Slot | undefined {
    return this.#slots.get(start);
  }

  /** Adds a slot in place of the one that was added first, if there are too many. */
  add(start: number, slot: Slot): void {
    const [oldest] = this.#slots.keys();
    if (this.#slots.size >= maxSlots && oldest !== undefined) this.#slots.delete(oldest);
    this.#slots.set(start, slot);
  }

  forget(start: number): void {
    this.#slots.delete(start);
  }

  /** Forgets all slots but the open ones: another thread may have closed the others. */
  keepOnly(open: ReadonlySet<number>): void {
    for (const start of this.#slots.keys()) if (!open.has(start)) this.#slots.delete(start);
  }

  clear(): void {
    this.#slots.clear();
  }
}
