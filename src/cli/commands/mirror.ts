/** `mirror`: copies from another server of the interface, once or again and again. */
import { readArchive } from '../../archive/archive-reader.ts';
import { systemClock } from '../../client/retry.ts';
import { checkManners } from '../../mirror/manners.ts';
import { type MirrorListener, mirrorServer } from '../../mirror/mirror.ts';
import type { MirrorProgress } from '../../mirror/mirror-progress.ts';
import type { AppError } from '../../model/app-error.ts';
import { type LeftOut, timedKinds } from '../../upstream/leaving-out.ts';
import { printMessage, printResult } from '../output.ts';
import { userAgent } from '../package-version.ts';
import { readPluginsFile } from '../plugin-ids.ts';
import { startStatus } from '../progress.ts';
import type { OptionsOf } from '../settings/setting.ts';
import type { mirrorSettings } from '../settings/settings.ts';
import { counted, grouped, pastCounts } from '../words.ts';

/** Options of {@link mirrorFrom}. */
interface MirrorRequest extends OptionsOf<typeof mirrorSettings> {
  /** As `parseUpstreamAddress` gives it. */
  readonly address: string;
}

/**
 * Mirrors until it is done, or with `every` until a signal comes.
 * @returns true if everything that was wanted is stored; always true with `every`.
 * @throws AppError before the first request for a wrong request and for a store that cannot be written.
 */
export async function mirrorFrom(request: MirrorRequest): Promise<boolean> {
  const { store, address, all: isAll, consent: hasConsent, pluginsFile } = request;
  const listed = pluginsFile === undefined ? [] : readPluginsFile(pluginsFile);
  checkManners({ address, isAll, listedCount: listed.length, hasConsent });
  using stop = stopOnSignal();
  return await mirrorServer(
    {
      store,
      address,
      userAgent: userAgent(),
      pluginIds: isAll ? undefined : [...new Set([...(request.plugin ?? []), ...listed])],
      maxElements: request.maxElements,
      rate: request.rate,
      concurrency: request.concurrency,
      everyMs: request.every,
      givenSoftware: request.software ?? [],
      trimsLeadingZeros: request.trimLeadingZeros,
      historyStepMs: request.history,
      isAgain: request.again,
      allowsFuture: request.allowFuture,
      clock: systemClock,
      readArchive,
      signal: stop.signal,
    },
    printer(request),
  );
}

/** Prints the events of a mirror. */
function printer({ store, address }: MirrorRequest): MirrorListener {
  let lastFailure = '';
  let lastLeftOut: readonly string[] = [];
  return {
    onStart: (progress) => {
      lastFailure = '';
      return startStatus(() => mirrorStatus(progress));
    },
    onFailure: (error) => {
      const text = errorLine(error);
      // A fault of a list comes again for every plugin that needs the list.
      if (text !== lastFailure) printMessage(text);
      lastFailure = text;
    },
    onEnd: (progress) => {
      const leftOut = leftOutLines(progress.leftOut);
      // With --every most runs leave out the same.
      for (const line of leftOut) if (!lastLeftOut.includes(line)) printMessage(line);
      lastLeftOut = leftOut;
      if (progress.skippedCount > 0)
        printMessage(
          `error: ${address} does not answer: ${progress.skippedCount} plugins are left to the next run`,
        );
      if (progress.isInterrupted)
        printMessage(`stopped: what is stored stays, and the next run goes on from here`);
      printResult(mirrorSummary(progress, store.name));
    },
    onWait: (startAt) => printMessage(`next run at ${new Date(startAt).toISOString()}`),
  };
}

function errorLine({ place, message }: AppError): string {
  return `error: ${place === undefined ? '' : `${place}: `}${message}`;
}

/** The status line of a run on a terminal. */
export function mirrorStatus(progress: MirrorProgress): string {
  const { doneCount, failedCount, wantedCount, chartCount, newPointCount, elapsedMs } = progress;
  const triedCount = doneCount + failedCount;
  const rate = ((progress.requestCount * 1000) / Math.max(1, elapsedMs)).toFixed(1);
  const parts = [
    `mirrored ${grouped(triedCount)} of ${counted(wantedCount, 'plugin')}`,
    `${counted(chartCount, 'chart')}, ${counted(newPointCount, 'new point')}`,
    `${rate} requests/s`,
  ];
  if (failedCount > 0) parts.push(`${grouped(failedCount)} failed`);
  if (triedCount > 0)
    parts.push(`${durationText((elapsedMs / triedCount) * (wantedCount - triedCount))} left`);
  return parts.join('; ');
}

/** The line at the end of a run. */
export function mirrorSummary(progress: MirrorProgress, storeName: string): string {
  const { doneCount, failedCount, chartCount, newPointCount, snapshotCount, eventCount } = progress;
  const { requestCount, elapsedMs } = progress;
  const counts = [
    counted(doneCount, 'plugin'),
    counted(chartCount, 'chart'),
    counted(newPointCount, 'new point'),
    ...pastCounts(snapshotCount, eventCount),
  ];
  const cost = `${counted(requestCount, 'request')} in ${(elapsedMs / 1000).toFixed(2)} s`;
  const done = `mirrored ${counts.join(', ')} with ${cost} into ${storeName}`;
  return failedCount === 0 ? done : `${done}; ${grouped(failedCount)} failed`;
}

function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return `${Math.round(ms / 1000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** One line for each reason why a run left something out, with the option that copies it. */
export function leftOutLines({ removed, futureCounts }: LeftOut): readonly string[] {
  const lines: string[] = [];
  if (removed.size > 0)
    lines.push(`left out what was removed from the store: ${listOf([...removed])}; --again copies it`);
  for (const kind of timedKinds) {
    const counts = [...futureCounts[kind]];
    if (counts.length === 0) continue;
    const count = counts.reduce((sum, [, one]) => sum + one, 0);
    const owner = kind === 'event' ? 'plugin' : 'chart';
    const owners = counts.map(([name, one]) => `${grouped(one)} of ${owner} ${name}`);
    const what = `${counted(count, kind)} more than a day ahead of the clock`;
    lines.push(`left out ${what}: ${listOf(owners)}; --allow-future copies them`);
  }
  return lines;
}

/** The most names in a message; the others are counted. */
const maxNames = 5;

function listOf(names: readonly string[]): string {
  const restCount = names.length - maxNames;
  const named = names.slice(0, maxNames).join(', ');
  return restCount > 0 ? `${named} and ${grouped(restCount)} more` : named;
}

/** The first SIGINT or SIGTERM aborts; the second one ends the process, as without a handler. */
function stopOnSignal(): { readonly signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const names = ['SIGINT', 'SIGTERM'] as const;
  const stop = () => {
    for (const name of names) process.removeListener(name, stop);
    controller.abort();
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of names) process.removeListener(name, stop);
    },
  };
}
