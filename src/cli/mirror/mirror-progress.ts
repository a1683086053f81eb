/** How far a run of a mirror has come, in words. */
import { counted, grouped } from '../progress.ts';
import { LeftOut } from './left-out.ts';

/** What a run has done. */
export class MirrorProgress {
  wantedCount = 0;
  doneCount = 0;
  failedCount = 0;
  /** Plugins that were not tried any more, as the source did not answer. */
  skippedCount = 0;
  chartCount = 0;
  /** New points. */
  pointCount = 0;
  isInterrupted = false;
  readonly leftOut = new LeftOut();
  readonly #requestCount: () => number;
  readonly #startedAt = performance.now();

  /** @param requestCount how many requests the run has sent so far. */
  constructor(requestCount: () => number) {
    this.#requestCount = requestCount;
  }

  /** Whether all that was wanted is stored. */
  get isComplete(): boolean {
    return this.failedCount === 0 && this.skippedCount === 0 && !this.isInterrupted;
  }

  /** For a terminal. */
  statusLine(): string {
    const { doneCount, failedCount, wantedCount, chartCount, pointCount } = this;
    const elapsedMs = performance.now() - this.#startedAt;
    const triedCount = doneCount + failedCount;
    const rate = ((this.#requestCount() * 1000) / Math.max(1, elapsedMs)).toFixed(1);
    const parts = [
      `mirrored ${grouped(triedCount)} of ${counted(wantedCount, 'plugin')}`,
      `${counted(chartCount, 'chart')}, ${counted(pointCount, 'new point')}`,
      `${rate} requests/s`,
    ];
    if (failedCount > 0) parts.push(`${grouped(failedCount)} failed`);
    if (triedCount > 0) parts.push(`${duration((elapsedMs / triedCount) * (wantedCount - triedCount))} left`);
    return parts.join('; ');
  }

  /** For the end. */
  summary(storeName: string): string {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(2);
    const parts = [counted(this.doneCount, 'plugin'), counted(this.chartCount, 'chart')];
    const requests = counted(this.#requestCount(), 'request');
    const done = `mirrored ${parts.join(', ')}, ${counted(this.pointCount, 'new point')} with ${requests} in ${seconds} s into ${storeName}`;
    return this.failedCount === 0 ? done : `${done}; ${grouped(this.failedCount)} failed`;
  }
}

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
