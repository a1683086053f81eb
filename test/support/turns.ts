/** Turns of work that has the process to itself. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Turns } from '../../src/http/turns.ts';

/** Each turn begins in the next turn of the event loop. */
export const freeTurns: Turns = { next: () => nextTurn(), wait: (outside) => outside };
