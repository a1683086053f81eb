/** Priorities of threads on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Place of the niceness among the fields behind the name. */
const nicenessField = 16;

/** Reads the niceness of each thread of a process, by thread id; the main thread has the id of the process. */
export function nicenessOf(pid: number): ReadonlyMap<number, number> {
  const tasks = `/proc/${pid}/task`;
  const entries = readdirSync(tasks).map((thread): [number, number] => {
    const text = readFileSync(`${tasks}/${thread}/stat`, 'latin1');
    // The name is in brackets, and may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [Number(thread), Number(fields[nicenessField])];
  });
  return new Map(entries);
}
