/** Turns of work that is alone in the process. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Turns } from '../../src/http/turns.ts';

/** Each turn starts in the next turn of the event loop. */
export const freeTurns: Turns = { next: () => nextTurn(), wait: (outside) => outside, whenLeft: () => {} };
