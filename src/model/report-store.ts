/** The port for reports of open slots: a log, separate from the metrics until its slot is closed. */
import { AppError } from './app-error.ts';

/** Maximum number of text bytes per append. */
export const maxAppendBytes = 1024 * 1024;

/** The end of the name of the file with the reports, after the path of the store. */
export const reportsSuffix = '-reports';

/** Number of parts of a slot; each part is covered or not. */
export const slotParts = 30;

/** A slot that is not closed yet. */
export interface OpenSlot {
  /** Start of the slot, in Unix milliseconds. */
  readonly start: number;
  /** Bit mask of the {@link slotParts} parts that some collector covered. */
  readonly covered: number;
}

/**
 * Logs of the slots that are not closed, shared by any number of collectors. All methods may reject with
 * `unavailable`.
 */
export interface ReportStore extends AsyncDisposable {
  /**
   * Opens a slot, or joins it if it is already open. Returns its key; rejects with `conflict` if the slot is
   * frozen or closed.
   */
  openSlot(start: number): Promise<Uint8Array>;
  /**
   * Appends text to the log of a slot; the text is on disk when this resolves. Rejects with `conflict` if the
   * slot is frozen or closed.
   * @param text at most {@link maxAppendBytes}.
   */
  append(start: number, text: string): Promise<void>;
  /** Durably marks parts of an open slot as covered. @param parts bit mask. */
  cover(start: number, parts: number): Promise<void>;
  /** Lists the slots that are not closed, oldest first. */
  listSlots(): Promise<readonly OpenSlot[]>;
  /** Stops a slot from accepting more reports. */
  freezeSlot(start: number): Promise<void>;
  /** Reads the log of a slot, one append after the other. Only the log of a frozen slot is complete. */
  readLog(start: number): AsyncIterable<string>;
  /** Deletes everything about a frozen slot. This slot and all earlier ones are then closed. */
  forgetSlot(start: number): Promise<void>;
}

/** Makes the error for a slot that no longer accepts reports. */
export function closedSlot(start: number): AppError {
  return new AppError('slot-closed', `the slot of ${new Date(start).toISOString()} is closed`);
}
