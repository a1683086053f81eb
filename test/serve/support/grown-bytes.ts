/** The memory of a process that serves. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Serving } from './serving.ts';

/**
 * Measures how much more memory a server takes at most while `work` goes on, and how much more afterwards.
 */
export async function grownBytes(server: Pick<Serving, 'pid'>, work: () => Promise<unknown>) {
  const resident = () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
  };
  await sleep(1000);
  const rest = resident();
  let peak = rest;
  const timer = setInterval(() => {
    peak = Math.max(peak, resident());
  }, 10);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { peak: peak - rest, kept: resident() - rest };
}
