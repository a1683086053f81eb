/** The log of what was not answered: one line for each kind of failure, not one for each request that met it. */
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../model/app-error.ts';

/** A failure that was logged is then only counted for this long. */
const quietMs = 10_000;

/** How many different failures are told apart at once. */
const maxKinds = 100;

/** Logs a failure of the request for this target. */
export type ErrorLog = (log: FastifyBaseLogger, target: string, error: unknown) => void;

/**
 * A log that says the same again only after a while, and then how often it happened in between: an outage of
 * the store must not fill the disk. A bug is logged with its stack, an expected failure with its message.
 */
export function createErrorLog(now: () => number = () => performance.now()): ErrorLog {
  const kinds = new Map<string, { loggedAt: number; silentCount: number }>();
  return (log, target, error) => {
    const kind = String(error);
    const known = kinds.get(kind);
    if (known !== undefined && now() - known.loggedAt < quietMs) {
      known.silentCount++;
      return;
    }
    if (kinds.size >= maxKinds) kinds.clear();
    kinds.set(kind, { loggedAt: now(), silentCount: 0 });
    const repeated = known === undefined || known.silentCount === 0 ? {} : { repeated: known.silentCount };
    if (error instanceof AppError)
      log.error({ url: target, reason: error.message, ...repeated }, 'not answered');
    else log.error({ url: target, err: error, ...repeated }, 'not answered because of a bug');
  };
}
