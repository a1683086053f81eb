/** `check`: reads everything in a store and verifies it. */
import { command } from '../command.ts';
import { printResult, startStatus } from '../output.ts';
import { storeSetting } from '../settings.ts';

export const check = command({
  summary: 'read everything in the store and verify it',
  settings: { store: storeSetting },
  async run({ store }) {
    const { recordChecker } = await import('../../archive/check-record.ts');
    using status = startStatus(() => `checking ${store.name}`);
    status.draw();
    let faultCount = 0;
    for await (const fault of store.check(recordChecker())) {
      faultCount++;
      printResult(fault);
    }
    if (faultCount === 0) printResult(`${store.name}: no faults`);
    else process.exitCode = 1;
  },
});
