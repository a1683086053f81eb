/** `mirror`: copies from another server of the interface, once or again and again. */
import { readFileSync } from 'node:fs';
import type { MirrorListener } from '../../mirror/mirror.ts';
import type { MirrorProgress } from '../../mirror/mirror-progress.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { idSchema, maxId, nameSchema } from '../../model/identifier.ts';
import { softwareUrlSchema } from '../../model/software.ts';
import { steps } from '../../series/series-query.ts';
import { parseUpstreamAddress } from '../../upstream/connection/upstream-address.ts';
import type { GivenSoftware } from '../../upstream/find-software.ts';
import { type LeftOut, timedKinds } from '../../upstream/leaving-out.ts';
import { command, type Refuse } from '../command.ts';
import { counted, countsText, grouped, printMessage, printResult, startStatus } from '../output.ts';
import { homepage, version } from '../package-version.ts';
import {
  allowFutureSetting,
  flag,
  matching,
  parseDuration,
  parseId,
  parsePath,
  refuseSameFile,
  storeSetting,
  wholeNumber,
} from '../settings.ts';

export const mirror = command({
  summary: 'copy from another server of the same interface',
  settings: {
    store: storeSetting,
    plugin: {
      placeholder: 'ID',
      help: 'a plugin to copy; may be given several times, or be several ids with commas between them',
      isRepeatable: true,
      parse: (text) => text.split(',').map((id) => parseId(id.trim())),
    },
    pluginsFile: {
      placeholder: 'FILE',
      help: 'a file with the id of a plugin to copy in each line; # begins a comment',
      parse: parsePath,
    },
    all: flag('copy every plugin of the plugin list'),
    maxElements: {
      placeholder: 'COUNT',
      help: 'how many of the latest points of a line, and times of a history, to copy in the first run; all unless given',
      parse: wholeNumber(1, 4_000_000),
    },
    rate: {
      placeholder: 'COUNT',
      help: 'how many requests to send in a second; may be less than 1',
      default: '2',
      parse: parseRate,
    },
    concurrency: {
      placeholder: 'COUNT',
      help: 'how many requests to send at the same time',
      default: '2',
      parse: wholeNumber(1, 64),
    },
    every: {
      placeholder: 'DURATION',
      help: 'repeat until a signal, at this interval: 30m, 12h, 1d',
      parse: parseDuration,
    },
    history: {
      placeholder: 'STEP',
      help: 'keep what pies, maps and bars show as history too, at the beginning of the current step: 1h, 6h or 1d (UTC)',
      parse: parseHistory,
    },
    software: {
      placeholder: 'ID=URL:NAME',
      help: 'a software of which the source gives only the id, such as 1=bukkit:Bukkit; may be given several times, or be several with line breaks between them',
      isRepeatable: true,
      parse: parseSoftware,
    },
    again: flag('copy what was removed from the store as well, and points that were pruned'),
    allowFuture: allowFutureSetting,
    trimLeadingZeros: flag('leave out the zeros before the first other value of a line'),
    consent: flag('the source has given written consent to a bulk copy, where its terms ask for it'),
  },
  argument: {
    name: '<URL>',
    help: 'where /api/v1 begins there: https://HOST, also with a path',
    parse: parseUpstreamAddress,
  },
  async run(options, address, refuse) {
    const { store, all: isAll, plugin = [], pluginsFile, software = [] } = options;
    const isSome = plugin.length > 0 || pluginsFile !== undefined;
    if (!isSome && !isAll) refuse('say what to copy: --plugin ID, --plugins-file FILE or --all');
    if (isSome && isAll) refuse('--all is every plugin: leave out --plugin and --plugins-file');
    refuseTwice(software, refuse);
    if (pluginsFile !== undefined) refuseSameFile(refuse, store, pluginsFile);
    const listed = pluginsFile === undefined ? [] : readPluginsFile(pluginsFile);
    const { checkManners } = await import('../../mirror/manners.ts');
    const { mirrorServer } = await import('../../mirror/mirror.ts');
    const { readArchive } = await import('../../archive/archive-reader.ts');
    const { systemClock } = await import('../../client/retry.ts');
    checkManners({ address, isAll, listedCount: listed.length, hasConsent: options.consent });
    using stop = stopOnSignal();
    const isDone = await mirrorServer(
      {
        store,
        address,
        userAgent: `plugin-metrics/${version}${homepage === undefined ? '' : ` (+${homepage})`}`,
        pluginIds: isAll ? undefined : [...new Set([...plugin, ...listed])],
        maxElements: options.maxElements,
        rate: options.rate,
        concurrency: options.concurrency,
        everyMs: options.every,
        givenSoftware: software,
        trimsLeadingZeros: options.trimLeadingZeros,
        historyStepMs: options.history,
        isAgain: options.again,
        allowsFuture: options.allowFuture,
        clock: systemClock,
        readArchive,
        signal: stop.signal,
      },
      printer(store.name, address),
    );
    if (!isDone) process.exitCode = 1;
  },
});

function parseRate(text: string): number {
  const rate = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (rate >= 0.001 && rate <= 100_000) return rate;
  throw new AppError('invalid', 'it must be a number from 0.001 to 100000');
}

/** Parses the step of a history, in milliseconds. */
function parseHistory(text: string): number {
  if (text === '1h' || text === '6h' || text === '1d') return steps[text];
  throw new AppError('invalid', 'it must be 1h, 6h or 1d');
}

/** Parses `1=bukkit:Bukkit / Spigot`, or several of these, one in each line. */
function parseSoftware(text: string): readonly GivenSoftware[] {
  return text.split('\n').map((line) => {
    const [, digits, url = '', name = ''] = /^([^=]*)=([^:]*):(.*)$/s.exec(line) ?? [];
    if (digits === undefined)
      throw new AppError('invalid', 'it must be ID=URL:NAME, such as 1=bukkit:Bukkit');
    const id = /^[1-9]\d{0,15}$/.test(digits) ? Number(digits) : 0;
    if (id < 1 || id > maxId)
      throw new AppError('invalid', `the ID of ID=URL:NAME must be ${idSchema.description}`);
    return { id, url: parseUrl(url), name: parseSoftwareName(name) };
  });
}

const parseUrl = matching(softwareUrlSchema, 'the URL of ID=URL:NAME');
const parseSoftwareName = matching(nameSchema, 'the NAME of ID=URL:NAME');

/** Refuses an id or a url that is given twice: a store cannot have both. */
function refuseTwice(software: readonly GivenSoftware[], refuse: Refuse): void {
  for (const [index, { id, url }] of software.entries()) {
    const before = software.slice(0, index).find((one) => one.id === id || one.url === url);
    if (before !== undefined)
      refuse(`--software: ${before.id === id ? `the ID ${id}` : `the URL ${url}`} is given twice`);
  }
}

/**
 * Reads a file with one id in each line; `#` begins a comment.
 * @throws AppError `invalid` with the line; also for a file that cannot be read or has no id.
 */
function readPluginsFile(file: string): readonly number[] {
  const ids = readLines(file).flatMap((line, index) => {
    const text = line.replace(/#.*/s, '').trim();
    try {
      return text === '' ? [] : parseId(text);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError('invalid', `${error.message}, got ${quote(text)}`, {
        place: `${file}:${index + 1}`,
      });
    }
  });
  if (ids.length === 0) throw new AppError('invalid', 'it names no plugin', { place: file });
  return [...new Set(ids)];
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r\n|\n|\r/);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new AppError('invalid', `cannot be read: ${reason}`, { place: file, cause: error });
  }
}

/** Prints the events of a mirror. */
function printer(storeName: string, address: string): MirrorListener {
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
      printResult(mirrorSummary(progress, storeName));
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
    countsText({ chart: chartCount, 'new point': newPointCount }),
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
  const counts = countsText({
    plugin: doneCount,
    chart: chartCount,
    'new point': newPointCount,
    snapshot: snapshotCount,
    event: eventCount,
  });
  const cost = `${counted(requestCount, 'request')} in ${(elapsedMs / 1000).toFixed(2)} s`;
  const done = `mirrored ${counts} with ${cost} into ${storeName}`;
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
