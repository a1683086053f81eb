/** Mirrors within the process, with waits that take no time. */
import { join } from 'node:path';
import { readArchive } from '../../src/archive/archive-reader.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import type { Clock } from '../../src/client/retry.ts';
import { MirrorProgress } from '../../src/mirror/mirror-progress.ts';
import { type RunOptions, runMirror } from '../../src/mirror/run-mirror.ts';
import { maxArchiveBytes } from '../../src/upstream/connection/temporary-file.ts';
import { UpstreamServer } from '../../src/upstream/connection/upstream-server.ts';
import { exportText } from '../support/stores.ts';

/** A clock whose waits pass at once. */
export interface FastClock extends Clock {
  /** The waits in milliseconds; the clock ends them at once. */
  readonly waits: number[];
}

/** Makes a clock that starts at this time. */
export function fastClock(startAt = 1_700_000_000_000): FastClock {
  let now = startAt;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    random: () => 0.5,
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
}

/** A store to mirror into. */
export interface Mirrored {
  readonly path: string;
}

/** Makes the name of a new store. */
export function emptyMirror(directory: string, name = 'mirror.db'): Mirrored {
  return { path: join(directory, name) };
}

/** The outcome of a run. */
export interface MirrorRun {
  readonly progress: MirrorProgress;
  readonly failures: readonly string[];
  readonly clock: FastClock;
  readonly requestCount: number;
}

/** Options of a run; by default it copies plugin 7 without waits. */
export type MirrorOnceOptions = Partial<RunOptions> & {
  readonly clock?: FastClock;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly maxArchiveBytes?: number;
};

/** Runs once. */
export async function mirrorOnce(
  mirrored: Mirrored,
  address: string,
  options: MirrorOnceOptions = {},
): Promise<MirrorRun> {
  const { clock = fastClock(), timeoutMs = 10_000, maxBytes = 1024 * 1024 * 64, ...rest } = options;
  const { maxArchiveBytes: archiveBytes = maxArchiveBytes, ...others } = rest;
  const signal = others.signal ?? new AbortController().signal;
  const bounds = { timeoutMs, maxBytes, maxArchiveBytes: archiveBytes };
  const limits = { ...bounds, rate: 100_000 };
  const server = new UpstreamServer({ ...limits, address, userAgent: 'plugin-metrics/test', signal, clock });
  const progress = new MirrorProgress(() => server.requestCount);
  const failures: string[] = [];
  const request: RunOptions = {
    store: parseStoreName(mirrored.path),
    readArchive,
    server,
    pluginIds: [7],
    maxElements: undefined,
    givenSoftware: [],
    trimsLeadingZeros: false,
    historyStepMs: undefined,
    // Most tests have a clock of their own.
    allowsFuture: true,
    isAgain: false,
    signal,
    now: clock.now,
    onFailure: ({ place = '', message }) => failures.push(`${place.replace(address, '')}: ${message}`),
    ...others,
  };
  await runMirror(request, progress);
  return { progress, failures, clock, requestCount: server.requestCount };
}

/** The records of a store's export, without header and end. */
export async function recordsOf(mirrored: Pick<Mirrored, 'path'>): Promise<Record<string, unknown>[]> {
  const lines = (await exportText(mirrored.path)).trim().split('\n').slice(1, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The exported points of a line. */
export async function pointsIn(mirrored: Mirrored, chartId = 'players'): Promise<unknown[]> {
  const records = await recordsOf(mirrored);
  return records.flatMap((record) =>
    record['record'] === 'data' && record['chartId'] === chartId ? (record['data'] as unknown[]) : [],
  );
}
