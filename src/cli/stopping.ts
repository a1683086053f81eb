/** Ends a command at Ctrl+C and at SIGTERM alike, and says what it leaves. */
import { printMessage } from './output.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** A command that a signal may end before its commit. */
interface Stopping extends Disposable {
  /** Commits what was written, after which a signal ends nothing any more. */
  readonly commit: (writer: { readonly commit: () => Promise<void> }) => Promise<void>;
}

/**
 * Ends the process at a signal, until it is disposed of. The end of the process removes the files of a store that is being made, and rolls
 * back a transaction.
 */
export function stopOnSignals(nothing = 'nothing was stored'): Stopping {
  let outcome = nothing;
  const stop = (_: NodeJS.Signals, number: number) => {
    printMessage(`stopped; ${outcome}`);
    // As shells give it for a signal.
    process.exit(128 + number);
  };
  for (const signal of signals) process.once(signal, stop);
  const dispose = () => {
    for (const signal of signals) process.off(signal, stop);
  };
  return {
    async commit(writer) {
      outcome = 'it is not known whether it was stored: running it again does no harm';
      await writer.commit();
      dispose();
    },
    [Symbol.dispose]: dispose,
  };
}
