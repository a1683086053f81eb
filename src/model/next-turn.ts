/**
 * Turns of the event loop. Work that lasts awaits `nextTurn()` between its steps, so that other work and new requests are not kept
 * waiting. Turns go round by client network. While cached responses are asked for, work takes at most a third of the time.
 */
import { FairQueue } from './fair-queue.ts';

/** Shortest time for which work is taken up in one turn of the event loop, and the time of one row in it. */
const sliceMs = 1;

/** Limit on the networks that go on together, each with one step: the code of a step then stays in the caches of the processor. */
const rowLength = 8;

/** Pause after a slice, as a multiple of it, while there are cache hits. */
const pauseFactor = 2;

/** Longest pause for each cache hit since the last slice: few hits need no pause. */
const pauseMsPerHit = 0.05;

const waiting = new FairQueue<() => void>();
let findNetworks: () => ReadonlySet<string> | undefined = () => undefined;
let isPlanned = false;
let plannedAt = 0;
let hitCount = 0;
let pausedUntil = 0;
/** End of the turn that is being taken; 0 between slices. */
let turnEndsAt = 0;

/** Sets how the client networks are found that the present work is done for: it takes their turns. */
export function findNetworksBy(find: typeof findNetworks): void {
  findNetworks = find;
}

/** Ends the turn if it has lasted: the promise resolves in a later turn of the event loop, when it is that of one of its networks. */
export function nextTurn(): Promise<void> | undefined {
  if (performance.now() < turnEndsAt) return undefined;
  return new Promise((resolve) => {
    waiting.add(shortestLine(findNetworks()), resolve);
    plan();
  });
}

/** Finds the network whose turn comes first for one more item. Work that no client waits for counts as that of one network. */
function shortestLine(these: ReadonlySet<string> = new Set()): string {
  let [shortest = ''] = these;
  for (const network of these) {
    if (waiting.lengthOf(shortest) === 0) break;
    if (waiting.lengthOf(network) < waiting.lengthOf(shortest)) shortest = network;
  }
  return shortest;
}

/** Counts a cache hit, for which work leaves time. */
export function countHit(): void {
  hitCount++;
}

function plan(): void {
  if (isPlanned) return;
  isPlanned = true;
  plannedAt = performance.now();
  const pauseMs = pausedUntil - plannedAt;
  // A timer has whole milliseconds; what is left of a pause is added to the next one.
  if (pauseMs < 1) setImmediate(takeSlice);
  else setTimeout(takeSlice, pauseMs);
}

async function takeSlice(): Promise<void> {
  const startedAt = performance.now();
  // A turn of the event loop lasts as long as the requests that have come: a flood of them leaves work its third, too.
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

/** Resolves when the work that was taken up has ended its turn, or waits for something else. */
function drained(): Promise<void> {
  // A callback of `nextTick` runs after all microtasks.
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
