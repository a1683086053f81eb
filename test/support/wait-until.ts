/** Waiting in tests. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition that comes soon; the deadline only keeps a test from hanging. `about` explains a failure. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, about = () => ''): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `not within 120 s: ${about()}`);
    await sleep(10);
  }
}
