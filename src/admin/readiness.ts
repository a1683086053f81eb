/** Whether requests should be sent here now. */
import type { MetricsReader } from '../model/metrics-reader.ts';

/** What readiness depends on. */
export interface ReadinessOptions {
  readonly isStopping: boolean;
  /** Undefined until the store has been opened. */
  readonly reader: MetricsReader | undefined;
  /** How many processes serve, and how many should. */
  readonly processCount: number;
  readonly wantedProcessCount: number;
}

/** Probes have short time limits of their own. */
const readTimeoutMs = 500;

/** Why requests should go elsewhere, in words that name neither file nor host; undefined when all is well. */
export async function findUnreadiness(options: ReadinessOptions): Promise<string | undefined> {
  const { isStopping, reader, processCount, wantedProcessCount } = options;
  if (isStopping) return 'the server is stopping';
  if (reader === undefined) return 'the store has not been opened yet';
  if (processCount < wantedProcessCount)
    return `${processCount} of ${wantedProcessCount} processes can answer`;
  return findFault(reader);
}

async function findFault(reader: MetricsReader): Promise<string | undefined> {
  // A slow store is ready: taking a busy node out makes the others busier.
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, readTimeoutMs);
  try {
    // SQLite looks at its file only when it is asked for the generation.
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
