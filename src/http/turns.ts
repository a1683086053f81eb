/** The terms between the queue and the work in it: classes, turns, and the errors that end work early. */
import { AppError } from '../model/app-error.ts';

/** Classes of work. `small` usually takes less than a millisecond, and is queued with `large` after its first turn; the others come in parts. */
export type WorkClass = 'small' | 'large' | 'picture';

/** Turns of one piece of work. It runs only in them; each must take a few milliseconds at most. */
export interface Turns {
  /** Ends a turn; resolves when the next one begins. Rejects with {@link WorkDropped} if no client waits for the work any more. */
  next(): Promise<void>;
  /**
   * Waits for something outside of this thread, such as the store or a thread pool, and goes on in a turn. Settles as `outside` does, or
   * rejects with {@link WorkDropped}.
   * @param onSettled called as soon as `outside` is settled; it must not throw.
   */
  wait<Result>(outside: Promise<Result>, onSettled?: () => void): Promise<Result>;
  /** Calls back when the work leaves the queue: it has ended, or is a stream from now on, which waits for its reader. */
  whenLeft(callback: () => void): void;
}

/** Makes the error for a request that is refused because of the load. */
export function overloaded(message = 'the server has more to do than it can; try again later'): AppError {
  return new AppError('unavailable', message, { kind: 'overloaded' });
}

/** Ends work whose clients have gone. Code that other work waits for too must catch it there and start again. */
export class WorkDropped extends AppError {
  constructor() {
    super('unavailable', 'no client waits for this any more', { kind: 'overloaded' });
  }
}
