/** `mirror`: copies from another server of the interface, once or again and again. */
import { once } from 'node:events';
import type { MirrorListener } from '../../mirror/mirror.ts';
import type { MirrorProgress } from '../../mirror/mirror-progress.ts';
import { AppError, placed, quote } from '../../model/app-error.ts';
import { softwareUrlSchema } from '../../model/catalogue.ts';
import { digitsFrom, matching, oneOf, type Parameter } from '../../model/parameter.ts';
import { steps } from '../../model/window.ts';
import { parseRequestHeader, type RequestHeader } from '../../upstream/connection/request-header.ts';
import { parseUpstreamAddress } from '../../upstream/connection/upstream-address.ts';
import { type LeftOut, timedKinds } from '../../upstream/copy-rules.ts';
import type { GivenSoftware } from '../../upstream/parse-lists.ts';
import { command } from '../command.ts';
import {
  counted,
  countsText,
  errorText,
  grouped,
  hideInMessages,
  nouns,
  printMessage,
  printResult,
  sayNextRun,
  secondsText,
  startStatus,
} from '../output.ts';
import { homepage, version } from '../package-version.ts';
import {
  allowFutureSetting,
  durationSetting,
  fileName,
  flagSetting,
  nameText,
  pluginId,
  readText,
  refuseSameFile,
  several,
  storeSetting,
} from '../settings.ts';
import { onStop } from '../stopping.ts';
import { serveSettings } from './serve.ts';

const rate: Parameter<number> = {
  allowed: 'a number from 0.001 to 100000',
  parse(text) {
    const rate = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
    return rate >= 0.001 && rate <= 100_000 ? rate : undefined;
  },
};

const softwareUrl = matching(softwareUrlSchema);

const givenSoftware = {
  placeholder: 'ID=URL:NAME',
  allowed: 'ID=URL:NAME, such as 1=bukkit:Bukkit',
  parse(text: string): GivenSoftware | undefined {
    const [, digits = '', word = '', words = ''] = /^(\d+)=([^:]*):(.*)$/.exec(text) ?? [];
    const id = pluginId.parse(digits);
    const url = softwareUrl.parse(word);
    const name = nameText.parse(words);
    return id === undefined || url === undefined || name === undefined ? undefined : { id, url, name };
  },
};

export const mirror = command({
  summary: 'copy plugins from another server of the interface',
  settings: {
    store: storeSetting,
    plugin: {
      help: 'plugins to copy, separated by commas; may be repeated',
      isRepeatable: true,
      ...several(pluginId),
    },
    pluginsFile: {
      placeholder: 'FILE',
      help: 'a file with one plugin id per line; # begins a comment',
      ...fileName,
    },
    all: flagSetting('copy every plugin of the plugin list'),
    maxElements: {
      placeholder: 'COUNT',
      help: 'the most points or times to copy of a chart that the mirror does not have yet; if not given, all',
      ...digitsFrom(1, 4_000_000),
    },
    rate: {
      placeholder: 'COUNT',
      help: 'how many requests to send per second',
      default: '2',
      ...rate,
    },
    every: {
      help: 'repeat at this interval: 30m, 12h, 1d',
      ...durationSetting,
    },
    history: {
      placeholder: 'STEP',
      help: 'also keep shares as history, at the start of the current step: 1h, 6h or 1d (UTC)',
      ...oneOf<'1h' | '6h' | '1d'>(['1h', '6h', '1d']),
    },
    software: {
      help: 'software that the source gives by id alone, such as 1=bukkit:Bukkit, separated by line breaks; may be repeated',
      isRepeatable: true,
      ...several(givenSoftware, '\n'),
    },
    again: flagSetting('also copy what was removed or pruned from the store'),
    allowFuture: allowFutureSetting,
    trimLeadingZeros: flagSetting('leave out zeros at the start of a line'),
    header: {
      placeholder: 'HEADER',
      help: 'a header to send with each request, such as "Authorization: Bearer TOKEN"; may be repeated',
      isRepeatable: true,
      isSecret: true,
      parse: (text) => [parseRequestHeader(text)],
    },
    headerFile: {
      placeholder: 'FILE',
      help: 'a file with one header per line; # begins a comment',
      ...fileName,
    },
    adminPort: {
      ...serveSettings.adminPort,
      help: 'the port of the admin listener with --every; if not given, there is none; 0 picks a free port',
      isOptionOnly: true,
    },
    adminHost: serveSettings.adminHost,
    consent: flagSetting('the source has given written consent to a bulk copy'),
  },
  argument: {
    name: '<URL>',
    help: 'the address of the server without /api/v1: https://HOST, possibly with a path',
    parse: parseUpstreamAddress,
  },
  async run(options, address, refuse) {
    const { store, all: isAll, plugin = [], pluginsFile, headerFile, history } = options;
    const { every: everyMs, adminPort, adminHost } = options;
    const isSome = plugin.length > 0 || pluginsFile !== undefined;
    if (isSome === isAll) refuse('say what to copy: either --plugin ID and --plugins-file FILE, or --all');
    if (adminPort !== undefined && everyMs === undefined) refuse('--admin-port needs --every');
    for (const file of [pluginsFile, headerFile]) if (file !== undefined) refuseSameFile(refuse, store, file);
    const listed = pluginsFile === undefined ? [] : readLines(pluginsFile, parseIdLine);
    const inFile = headerFile === undefined ? [] : readLines(headerFile, parseHeaderLine);
    const headers = [...(options.header ?? []), ...inFile];
    if (new Set(headers.map(({ name }) => name.toLowerCase())).size < headers.length)
      refuse('--header and --header-file give a header twice');
    hideInMessages(headers.map(({ value }) => value));
    const { checkConsent } = await import('../../mirror/consent.ts');
    const { mirrorServer } = await import('../../mirror/mirror.ts');
    const { readArchive } = await import('../../archive/archive-reader.ts');
    const { systemClock } = await import('../../client/retry.ts');
    checkConsent({ address, isAll, listedCount: listed.length, hasConsent: options.consent });
    // An upgrade may replace the files before later runs.
    if (everyMs !== undefined) await store.preload();
    const stop = new AbortController();
    let failed = 1;
    onStop((exitCode) => {
      failed = exitCode;
      stop.abort();
    });
    let listener = printer(store.name, address);
    await using stack = new AsyncDisposableStack();
    if (everyMs !== undefined && adminPort !== undefined) {
      const { countRuns } = await import('../../mirror/metrics.ts');
      const { startMirrorAdmin } = await import('../../serve/mirror.ts');
      const stopped = once(stop.signal, 'abort');
      const output = { printMessage, printResult };
      stack.use(await startMirrorAdmin({ store, adminPort, adminHost, version, stopped, output }));
      listener = countRuns(listener, { everyMs, now: systemClock.now });
    }
    const isDone = await mirrorServer(
      {
        ...options,
        address,
        userAgent: `plugin-metrics/${version}${homepage === undefined ? '' : ` (+${homepage})`}`,
        pluginIds: isAll ? undefined : [...new Set([...plugin, ...listed])],
        everyMs,
        headers,
        givenSoftware: options.software ?? [],
        trimsLeadingZeros: options.trimLeadingZeros,
        historyStepMs: history && steps[history],
        isAgain: options.again,
        allowsFuture: options.allowFuture,
        clock: systemClock,
        readArchive,
        signal: stop.signal,
      },
      listener,
    );
    if (!isDone) process.exitCode = failed;
  },
});

/** Parses the id of a plugin; `#` begins a comment. */
function parseIdLine(line: string, place: string): number | undefined {
  const word = line.replace(/#.*/, '').trim();
  const id = pluginId.parse(word);
  if (id === undefined && word !== '')
    throw new AppError('invalid', `${place} must be the id of a plugin, got ${quote(word)}`);
  return id;
}

/** Parses a header; a line that begins with `#` is a comment. */
function parseHeaderLine(line: string, place: string): RequestHeader | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  try {
    return parseRequestHeader(text);
  } catch (error) {
    throw new AppError('invalid', `${place}: ${(error as Error).message}`);
  }
}

/**
 * Reads a file line by line.
 * @param parse gets each line and its place; gives undefined for one without a value.
 * @throws AppError `invalid` for a file that cannot be read, or a line for which `parse` throws.
 */
function readLines<Value>(
  file: string,
  parse: (line: string, place: string) => Value | undefined,
): readonly Value[] {
  const lines = readText(file).split('\n');
  try {
    return lines
      .map((line, index) => parse(line, `line ${index + 1}`))
      .filter((value) => value !== undefined);
  } catch (error) {
    throw placed(error, file);
  }
}

/** Prints the events of a mirror. */
function printer(storeName: string, address: string): MirrorListener {
  let lastFailure = '';
  return {
    onStart(progress) {
      lastFailure = '';
      return startStatus(() => {
        const { doneCount, failedCount, wantedCount } = progress;
        return {
          doing: `mirroring ${grouped(doneCount)} of ${counted(wantedCount, 'plugin')}, ${grouped(failedCount)} failed`,
          share: (doneCount + failedCount) / Math.max(1, wantedCount),
          rate: { count: progress.requestCount, noun: 'request' },
        };
      });
    },
    onFailure(error) {
      const text = `error: ${errorText(error)}`;
      // A fault of a list is repeated for every plugin that needs the list.
      if (text !== lastFailure) printMessage(text);
      lastFailure = text;
    },
    onEnd(progress) {
      const { skippedCount, isInterrupted, leftOut } = progress;
      printMessage(...leftOutLines(leftOut));
      if (skippedCount > 0)
        printMessage(`error: ${address} does not answer: ${skippedCount} plugins are left to the next run`);
      if (isInterrupted) printMessage('stopped: stored plugins stay, and the next run continues from here');
      printResult(mirrorSummary(progress, storeName));
    },
    onWait: sayNextRun,
  };
}

/** The line at the end of a run. */
function mirrorSummary(progress: MirrorProgress, storeName: string): string {
  const { doneCount, failedCount } = progress;
  const counts = countsText({ plugin: doneCount, ...progress.counts });
  const cost = `${counted(progress.requestCount, 'request')} in ${secondsText(progress.elapsedMs)}`;
  const done = `mirrored ${counts} with ${cost} into ${storeName}`;
  return failedCount === 0 ? done : `${done}; ${grouped(failedCount)} failed`;
}

/** One line for each reason why a run left something out, with the option that copies it. */
export function leftOutLines({ removed, futureCounts }: LeftOut): readonly string[] {
  const lines: string[] = [];
  if (removed.size > 0)
    lines.push(`left out what was removed from the store: ${listOf(removed)}; --again copies it`);
  for (const kind of timedKinds) {
    const counts = futureCounts[kind];
    if (counts.size === 0) continue;
    const what = counted(
      counts.values().reduce((sum, count) => sum + count, 0),
      nouns[kind],
    );
    lines.push(
      `left out ${what} more than a day ahead of the clock, of ${listOf(counts.keys())}; --allow-future copies them`,
    );
  }
  return lines;
}

/** The most names in a message; the others are counted. */
const maxNames = 5;

function listOf(all: Iterable<string>): string {
  const names = [...all];
  const restCount = names.length - maxNames;
  const named = names.slice(0, maxNames).join(', ');
  return restCount > 0 ? `${named} and ${grouped(restCount)} more` : named;
}
