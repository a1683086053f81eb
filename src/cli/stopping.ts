/** Ends a command at Ctrl+C and at SIGTERM alike, and says what it leaves. */
import { printMessage } from './output.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Calls back at a signal, with the exit code that shells give it. The second signal ends the process, as without a handler. */
export function onStop(stop: (exitCode: number) => void): Disposable {
  const listener = (_: NodeJS.Signals, number: number) => stop(128 + number);
  for (const signal of signals) process.once(signal, listener);
  return {
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}

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
  const stopping = onStop((exitCode) => {
    printMessage(`stopped; ${outcome}`);
    process.exit(exitCode);
  });
  return {
    ...stopping,
    async commit(writer) {
      outcome = 'it is not known whether it was stored: running it again does no harm';
      await writer.commit();
      stopping[Symbol.dispose]();
    },
  };
}
