/**
 * Turns of the event loop. Work that lasts awaits `nextTurn()` between its steps, so that other work and new requests are not kept
 * waiting. While cached responses are asked for, work takes at most a third of the time.
 */

/** Time for which work is taken up in one turn of the event loop. */
const sliceMs = 1;

/** Work that goes on together: each step is done for all of it in a row, with its code in the caches of the processor. */
const rowLength = 8;

/** Pause after a slice, as a multiple of it, while there are cache hits. */
const pauseFactor = 2;

/** Longest pause for each cache hit since the last slice: few hits need no pause. */
const pauseMsPerHit = 0.05;

const waiting: (() => void)[] = [];
let isPlanned = false;
let hitCount = 0;
let pausedUntil = 0;
/** End of the slice that is being taken; 0 between slices. */
let turnEndsAt = 0;

/** Ends the turn if it has lasted: the promise resolves in a later turn of the event loop, in the order of the calls. */
export function nextTurn(): Promise<void> | undefined {
  if (performance.now() < turnEndsAt) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    plan();
  });
}

/** Counts a cache hit, for which work leaves time. */
export function countHit(): void {
  hitCount++;
}

function plan(): void {
  if (isPlanned) return;
  isPlanned = true;
  const pauseMs = pausedUntil - performance.now();
  // A timer has whole milliseconds; what is left of a pause is added to the next one.
  if (pauseMs < 1) setImmediate(takeSlice);
  else setTimeout(takeSlice, pauseMs);
}

async function takeSlice(): Promise<void> {
  const startedAt = performance.now();
  turnEndsAt = startedAt + sliceMs;
  let tookMs = 0;
  do {
    for (const resume of waiting.splice(0, rowLength)) resume();
    await drained();
    tookMs = performance.now() - startedAt;
  } while (waiting.length > 0 && tookMs < sliceMs);
  turnEndsAt = 0;
  pausedUntil =
    Math.max(pausedUntil, startedAt) + Math.min(pauseFactor * tookMs, pauseMsPerHit * hitCount) + tookMs;
  hitCount = 0;
  isPlanned = false;
  if (waiting.length > 0) plan();
}

/** Resolves when the work that was taken up has ended its turn, or waits for something else. */
function drained(): Promise<void> {
  // A callback of `nextTick` runs after all microtasks.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
