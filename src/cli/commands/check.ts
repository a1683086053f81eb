/** `check`: reads everything in a store and verifies it. */
import { recordChecker } from '../../archive/check-record.ts';
import type { Store } from '../../model/store.ts';
import { printResult } from '../output.ts';
import { startStatus } from '../progress.ts';

/** Prints one line per fault, or that there is none; returns whether the store has no faults. */
export async function checkStore(store: Store): Promise<boolean> {
  using status = startStatus(() => `checking ${store.name}`);
  status.draw();
  let faultCount = 0;
  for await (const fault of store.check(recordChecker())) {
    faultCount++;
    printResult(fault);
  }
  if (faultCount === 0) printResult(`${store.name}: no faults`);
  return faultCount === 0;
}
