/** The words that work is described in: its class, its turns, and why it may end. */
import { AppError } from '../model/app-error.ts';

/** `small` takes less than a millisecond as a rule, and goes on as `large` where it takes another turn; the others come in parts. */
export type WorkClass = 'small' | 'large' | 'picture';

/** The turns of one piece of work. It runs in them alone; each must take a few milliseconds at most. */
export interface Turns {
  /** Ends a turn; resolves when the next one begins. Rejects once no client waits for the work. */
  next(): Promise<void>;
  /**
   * Waits for what others do, such as the store or a thread, and goes on in a turn; settles as `outside` does.
   * @param onSettled called as soon as `outside` is settled; it must not throw.
   */
  wait<Result>(outside: Promise<Result>, onSettled?: () => void): Promise<Result>;
}

/** The error for what is refused because of others. */
export function overloaded(): AppError {
  const message = 'the server has more to do than it can; try again later';
  return new AppError('unavailable', message, { kind: 'overloaded' });
}

/** Ends work whose clients have gone. What others wait for as well is theirs to go on with. */
export class WorkDropped extends AppError {
  constructor() {
    super('unavailable', 'no client waits for this any more', { kind: 'overloaded' });
  }
}
