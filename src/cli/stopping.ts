/** Ends a command at Ctrl+C and at SIGTERM, and says what it leaves. */
import { printMessage } from './output.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Calls back at a signal, with its exit code in shells. A second signal ends the process, as without a
 * handler.
 */
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
  /** Commits the writes; later signals have no effect. */
  readonly commit: (writer: { readonly commit: () => Promise<void> }) => Promise<void>;
}

/**
 * Ends the process at a signal, until it is disposed of. The end of the process removes the files of an
 * unfinished store, and rolls back a transaction.
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
