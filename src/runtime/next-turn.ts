/**
 * Turns of the event loop. Long work awaits `nextTurn()` between its steps, so that other work and new
 * requests need not wait. Client networks take turns. While there are cache hits, work takes at most a third
 * of the time.
 */
import { FairQueue } from './fair-queue.ts';

/** Minimum time of a slice of work in one turn of the event loop, and of one row of steps in it. */
const sliceMs = 1;

/**
 * Maximum number of networks that are resumed back to back, one step each: the code of a step then stays in
 * the CPU caches.
 */
const rowLength = 8;

/** Length of the pause after a slice, as a multiple of the slice, while there are cache hits. */
const pauseFactor = 2;

/** Longest pause per cache hit since the last slice: few hits need no pause. */
const pauseMsPerHit = 0.05;

const waiting = new FairQueue<() => void>();
let findNetworks: () => ReadonlySet<string> | undefined = () => undefined;
let isPlanned = false;
let plannedAt = 0;
let hitCount = 0;
let pausedUntil = 0;
/** End of the current row; 0 between slices. */
let turnEndsAt = 0;

/**
 * Sets the function that finds the client networks for which the current work is done; the work takes their
 * turns.
 */
export function findNetworksBy(find: typeof findNetworks): void {
  findNetworks = find;
}

/**
 * Ends the turn if its time is up: the promise resolves in a later turn, when it is the turn of one of the
 * networks of the work.
 */
export function nextTurn(): Promise<void> | undefined {
  if (performance.now() < turnEndsAt) return undefined;
  return new Promise((resolve) => {
    waiting.add(shortestLine(findNetworks()), resolve);
    plan();
  });
}

/** Finds the network with the shortest line. Work that no client waits for counts as one network. */
function shortestLine(these: ReadonlySet<string> = new Set()): string {
  let [shortest = ''] = these;
  for (const network of these) {
    if (waiting.lengthOf(shortest) === 0) break;
    if (waiting.lengthOf(network) < waiting.lengthOf(shortest)) shortest = network;
  }
  return shortest;
}

/** Counts a cache hit; work pauses in proportion to the hits. */
export function countHit(): void {
  hitCount++;
}

function plan(): void {
  if (isPlanned) return;
  isPlanned = true;
  plannedAt = performance.now();
  const pauseMs = pausedUntil - plannedAt;
  // Timers have a resolution of one millisecond; a shorter pause is carried over to the next one.
  if (pauseMs < 1) setImmediate(takeSlice);
  else setTimeout(takeSlice, pauseMs);
}

async function takeSlice(): Promise<void> {
  const startedAt = performance.now();
  // A flood of requests makes the turns of the event loop longer; the slice grows with them, so that work
  // keeps its third.
  const mayTakeMs = Math.max(sliceMs, (startedAt - plannedAt) / pauseFactor);
  let tookMs = 0;
  do {
    turnEndsAt = startedAt + tookMs + sliceMs;
    for (let count = Math.min(rowLength, waiting.networkCount); count > 0; count--) waiting.take()?.item();
    await drained();
    tookMs = performance.now() - startedAt;
  } while (waiting.networkCount > 0 && tookMs < mayTakeMs);
  turnEndsAt = 0;
  pausedUntil =
    Math.max(pausedUntil, startedAt) + Math.min(pauseFactor * tookMs, pauseMsPerHit * hitCount) + tookMs;
  hitCount = 0;
  isPlanned = false;
  if (waiting.networkCount > 0) plan();
}

/** Resolves when the resumed work has ended its turn, or waits for something else. */
function drained(): Promise<void> {
  // A `nextTick` callback runs after all microtasks.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
