/** The port for reports of the open slot: a log, kept apart from the metrics until its slot is closed. */
import { AppError } from './app-error.ts';

/** The most bytes of text in one append. */
export const maxAppendBytes = 1024 * 1024;

/** The number of parts of a slot, each of which is covered or not. */
export const slotParts = 30;

/** A slot that is not closed. */
export interface OpenSlot {
  /** Its beginning, in Unix milliseconds. */
  readonly start: number;
  /** The parts of it that some collector covered, a bit for each of {@link slotParts}. */
  readonly covered: number;
}

/** The logs of the slots that are not closed. Any number of collectors share them. All methods may reject with `unavailable`. */
export interface ReportStore extends AsyncDisposable {
  /** Begins a slot, or joins one that has begun. Returns its key; rejects with `conflict` if it is being closed or is closed. */
  openSlot(start: number): Promise<Uint8Array>;
  /**
   * Adds text to the log of a slot; it is on disk when this resolves. Rejects with `conflict` if the slot is being closed or is closed.
   * @param text at most {@link maxAppendBytes}.
   */
  append(start: number, text: string): Promise<void>;
  /** Notes durably that parts of an open slot are covered: a bit for each. */
  cover(start: number, parts: number): Promise<void>;
  /** Lists the slots that are not closed, from the oldest. */
  listSlots(): Promise<readonly OpenSlot[]>;
  /** Takes nothing more for a slot. */
  freezeSlot(start: number): Promise<void>;
  /** Reads the log of a slot: the text of one append after the other. All of it, if the slot is frozen. */
  readLog(start: number): AsyncIterable<string>;
  /** Deletes everything about a frozen slot. It and all slots before it are closed from now on. */
  forgetSlot(start: number): Promise<void>;
}

/** Makes the error for a slot that takes no reports. */
export function closedSlot(start: number): AppError {
  return new AppError('slot-closed', `the slot of ${new Date(start).toISOString()} is closed`);
}
