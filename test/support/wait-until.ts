/** Waits in tests. */
import assert from 'node:assert/strict';
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
  const deadline = performance.now() + mostMs;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `not within ${mostMs} ms: ${about()}`);
    await sleep(10);
  }
}
