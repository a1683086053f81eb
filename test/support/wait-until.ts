/** Waits in tests. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for a condition that should soon be true; the limit only prevents a test from hanging. `about`
 * explains a failure.
 */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  about = () => '',
  mostMs = 120_000,
): Promise<void> {
  let deadline = performance.now() + mostMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `not within ${mostMs} ms: ${about()}`);
    const asleepAt = performance.now();
    await sleep(10);
    // While the process had no processor, what is waited for could not come.
    deadline += performance.now() - asleepAt - 10;
  }
}

/** Waits until a further change of a file has another time; its clock may tick in milliseconds. */
export function untilLater(file: string): Promise<void> {
  return waitUntil(() => Date.now() > statSync(file).ctimeMs + 20);
}
