/** Whether requests should be sent here now. */
import type { MetricsReader } from '../model/metrics-reader.ts';

/** What decides it. */
export interface ReadinessOptions {
  readonly isStopping: boolean;
  /** Undefined until the store has been opened. */
  readonly reader: MetricsReader | undefined;
  /** How many processes answer, and how many should. */
  readonly processCount: number;
  readonly wantedProcessCount: number;
}

/** Probes give up soon themselves. */
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
  // What is slow is not gone: a busy node that is taken out makes the others busier.
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, readTimeoutMs);
  try {
    // Asking for the generation is what makes some stores look.
    reader.generation('data');
    if (reader.unreachableMs() > 0) return 'the store is unreachable';
    // The shortest list there is, past all that is cached.
    await Promise.race([timeout.promise, reader.listSoftware()]);
    return undefined;
  } catch {
    // Whatever it was, the store cannot be read; a request that meets it logs it.
    return 'the store cannot be read';
  } finally {
    clearTimeout(timer);
  }
}
