/** `check`: everything in a store, read and verified. */
import { recordChecker } from '../../archive/check-record.ts';
import { printResult } from '../output.ts';
import type { Store } from '../store-name.ts';

/** Prints a line per fault, or that there is none; whether the store is good. */
export async function checkStore(store: Store): Promise<boolean> {
  let faultCount = 0;
  for await (const fault of store.check(recordChecker())) {
    faultCount++;
    printResult(fault);
  }
  if (faultCount === 0) printResult(`${store.name}: no faults`);
  return faultCount === 0;
}
