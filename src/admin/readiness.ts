/** Readiness: decides if requests should be sent to this server. */
import type { MetricsReader } from '../model/metrics-reader.ts';

/** State that readiness depends on. */
export interface ReadinessOptions {
  readonly isStopping: boolean;
  /** Undefined until the store has been opened. */
  readonly reader: MetricsReader | undefined;
  /** Number of processes that serve, and that should. */
  readonly processCount: number;
  readonly wantedProcessCount: number;
}

/** Time limit for a read of the store, below the time limits of probes. */
const readTimeoutMs = 500;

/** Finds the reason why requests should go elsewhere, without names of files and hosts; undefined if the server is ready. */
export async function findUnreadiness(options: ReadinessOptions): Promise<string | undefined> {
  const { isStopping, reader, processCount, wantedProcessCount } = options;
  if (isStopping) return 'the server is stopping';
  if (reader === undefined) return 'the store has not been opened yet';
  if (processCount < wantedProcessCount)
    return `${processCount} of ${wantedProcessCount} processes can answer`;
  return findFault(reader);
}

async function findFault(reader: MetricsReader): Promise<string | undefined> {
  // A slow store counts as ready: taking a busy node out makes the others busier.
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, readTimeoutMs);
  try {
    // SQLite checks its file only when the generation is read.
    reader.generation('data');
    if (reader.unreachableMs() > 0) return 'the store is unreachable';
    // The shortest list, read from the store and not from the cache.
    await Promise.race([timeout.promise, reader.listSoftware()]);
    return undefined;
  } catch {
    // The reason is logged by the next request that fails.
    return 'the store cannot be read';
  } finally {
    clearTimeout(timer);
  }
}
