/**
 * Limits on the heap of V8: the size of the young generation, in which objects live until they have outlasted two collections, and the
 * growth of the old one.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const mebibyte = 1024 * 1024;

/**
 * Limit on each semi-space of the young generation, of which up to three take memory. V8's own is 32 MiB, with which the process takes
 * 60 MB more and is hardly faster.
 */
const maxYoungBytes = 4 * mebibyte;

/** The factor by which V8 enlarges a semi-space, unless told otherwise. */
const growthFactor = 2;

/**
 * Growth of the old generation from one of its collections to the next in percent, bytes outside the heap included, while it is small.
 * V8's own is 8 MiB for ours, which two responses of ten years fill.
 */
const oldGrowthPercent = 200;

/** Size up to which it is small: it then grows by 32 MiB at most. */
const smallOldBytes = 16 * mebibyte;

/**
 * Interval between looks. Even under heavy load, growing from the limit to its double takes longer. The limit can still be passed within
 * a turn of the event loop that is as long.
 */
const intervalMs = 50;

/**
 * Limits the young generation, and lets a small old one grow more than V8 would. Disposing of it ends the adjustment; the flags stay as
 * they are. V8 also makes semi-spaces smaller while a server is idle, down to 1 MiB. Then they must be able to grow again: with 1 MiB,
 * collections find most objects still in use, and all requests take a twentieth more time.
 */
export function limitHeap(): Disposable {
  const flags = new Map<string, number>();
  const set = (flag: string, value: number) => {
    if (flags.get(flag) === value) return;
    flags.set(flag, value);
    setFlagsFromString(`--${flag}=${value}`);
  };
  const look = () => {
    const { youngCapacity, oldBytes } = measure();
    set('semi-space-growth-factor', growthFactor * youngCapacity <= maxYoungBytes ? growthFactor : 1);
    // 0 leaves it to V8. Few values, because compiled code is kept for the flags with which it was made.
    set('heap-growing-percent', oldBytes < smallOldBytes ? oldGrowthPercent : 0);
  };
  look();
  const timer = setInterval(look, intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The capacity of a semi-space, and the size of all that is not in the young generation. */
function measure(): { readonly youngCapacity: number; readonly oldBytes: number } {
  let [youngCapacity, oldBytes] = [maxYoungBytes, 0];
  for (const {
    space_name: name,
    space_used_size: used,
    space_available_size: free,
  } of getHeapSpaceStatistics())
    if (name === 'new_space') youngCapacity = used + free;
    else oldBytes += used;
  return { youngCapacity, oldBytes };
}
