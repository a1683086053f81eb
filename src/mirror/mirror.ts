/** Mirrors another server into a store: one run, or runs at an interval until a signal comes. */
import type { Clock } from '../client/retry.ts';
import type { RequestHeader } from '../upstream/connection/request-header.ts';
import { UpstreamServer } from '../upstream/connection/upstream-server.ts';
import { MirrorProgress } from './mirror-progress.ts';
import { type RunOptions, runMirror } from './run-mirror.ts';
import { repeat } from './schedule.ts';

/** Describes the source, what to copy, and the store to fill. */
interface MirrorOptions extends Omit<RunOptions, 'server' | 'now' | 'onFailure'> {
  /** Address from `parseUpstreamAddress`. */
  readonly address: string;
  readonly userAgent: string;
  /** Headers for the source; their values are secrets. */
  readonly headers?: readonly RequestHeader[];
  /** Maximum requests per second. */
  readonly rate: number;
  /** Interval between runs; undefined for a single run. */
  readonly everyMs: number | undefined;
  readonly clock: Clock;
}

/** Receives the events of a mirror, for display. */
export interface MirrorListener {
  /** Called when a run begins; the returned value is disposed of when the run ends. */
  readonly onStart: (progress: MirrorProgress) => Disposable;
  /** Called for each failure: of a list, of a plugin (with its id), or of a run if another will follow. */
  readonly onFailure: RunOptions['onFailure'];
  /** Called when a run ends, complete or not. */
  readonly onEnd: (progress: MirrorProgress) => void;
  /** Called before a wait, with the time of the next run. */
  readonly onWait: (startAt: number) => void;
}

/**
 * Mirrors once, or at intervals until the signal is aborted.
 * @returns true if everything requested is stored; always true for runs at intervals.
 * @throws AppError before the first request if the store cannot be written; a single run also throws as
 * `runMirror`.
 */
export async function mirrorServer(options: MirrorOptions, listener: MirrorListener): Promise<boolean> {
  const { store, everyMs, clock, signal } = options;
  await (await store.openWriter())[Symbol.asyncDispose]();
  if (everyMs === undefined) return runOnce(options, listener);
  await repeat({
    everyMs,
    clock,
    signal,
    run: () => runOnce(options, listener),
    onFailure: (error) => listener.onFailure(error),
    onWait: (startAt) => listener.onWait(startAt),
  });
  return true;
}

async function runOnce(
  options: MirrorOptions,
  { onStart, onFailure, onEnd }: MirrorListener,
): Promise<boolean> {
  const server = new UpstreamServer(options);
  const progress = new MirrorProgress(() => server.requestCount);
  using _ = onStart(progress);
  await runMirror({ ...options, server, now: options.clock.now, onFailure }, progress);
  onEnd(progress);
  return progress.isComplete;
}
