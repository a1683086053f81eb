/** The threads beside the main one, which collect garbage, compile code and compress bodies. */
import { readdir } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Added to the niceness of the main thread. Not more: it waits for helpers in a collection, and with 10, points that are not cached waited
 * twice as long beside a process that fills the core.
 */
const addedNiceness = 5;

/**
 * Lets the main thread go first where there are not enough cores for all. V8 marks objects with four helpers at a time: each would get
 * slices as long as those of the main thread, so that requests wait for 12 to 16 ms.
 * @param tasks the folder of Linux with the threads of this process: elsewhere, threads have no priorities of their own.
 */
export async function putMainThreadFirst(tasks = '/proc/self/task'): Promise<void> {
  // Reading a folder starts the threads of libuv, so that they are in the list.
  const threads = (await readdir(tasks).catch(() => [])).map(Number);
  // In the folder of another namespace, threads have other numbers.
  if (!threads.includes(process.pid)) return;
  const niceness = Math.min(getPriority() + addedNiceness, constants.priority.PRIORITY_LOW);
  for (const thread of threads) if (thread !== process.pid) setNiceness(thread, niceness);
}

function setNiceness(thread: number, niceness: number): void {
  try {
    setPriority(thread, niceness);
  } catch {
    // It has ended, or the system does not allow it. All works without.
  }
}
