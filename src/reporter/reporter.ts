/**
 * The reporter, the package `plugin-metrics-reporter` and `plugin-metrics/reporter`, for programs in Node: it
 * reports to a collector how a program is used, once 3 to 6 minutes after its start and then every half hour.
 */

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { arch, availableParallelism, homedir, platform, release, type, version } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Settings of the people who run a program. */
export interface ReporterSettings {
  readonly isEnabled: boolean;
  readonly isLogging: boolean;
  readonly serverId: string;
}

/** Loads the settings; makes the file if it is not there. Rejects as the file system does. */
async function loadSettings(file: string): Promise<ReporterSettings> {
  // A name ends with a colon, an equals sign or white space.
  const lines = (await readOrMake(file))
    .split(/[\r\n]+/)
    .map((line) => /^\s*([^\s:=]*)\s*[:=]?\s*(.*?)\s*$/.exec(line));
  const settingOf = (name: string) => lines.findLast((line) => line?.[1] === name)?.[2] ?? '';
  const serverId = settingOf('server-id');
  return {
    // Anything but `true` is a no.
    isEnabled: settingOf('enabled') === 'true' && serverId !== '',
    isLogging: settingOf('log') === 'true',
    serverId,
  };
}

async function readOrMake(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const text =
    '# Programs report how they are used (versions, kind of system) to the collectors of their authors.\n' +
    '# No names, no addresses. With enabled=false nothing is sent. With log=true every report is logged.\n' +
    `enabled=true\nlog=false\nserver-id=${randomUUID()}\n`;
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    // It is there, since long or since this moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}

/** A value that a chart can have; which one it must be depends on the type of the chart. */
export type ReportedValue =
  /** A simple pie, or a map of one country. */
  | string
  /** A line. */
  | number
  /** An advanced pie or map; a drilldown pie; bars. */
  | Readonly<Record<string, number | Readonly<Record<string, number>> | readonly number[]>>;

/** Computes a value, within ten seconds. If it returns nothing or fails, nothing is reported. */
export type ComputeValue<Value> = () => Value | null | undefined | Promise<Value | null | undefined>;

/** Options of a reporter. */
export interface ReporterOptions {
  /** The collector: `https://metrics.example.org`, or one with a path. */
  readonly address: string | URL;
  /** The url of the software in the collector; by default `other`. */
  readonly software?: string | undefined;
  /** The id that the collector gave the program. */
  readonly pluginId: number;
  /** The version of the program. */
  readonly version?: string | undefined;
  /** Facts about the machine or the server by name, such as `playerAmount`. */
  readonly fields?: Readonly<Record<string, ComputeValue<string | number | boolean>>> | undefined;
  /** Charts by their id. */
  readonly charts?: Readonly<Record<string, ComputeValue<ReportedValue>>> | undefined;
  /**
   * The file of settings, which belongs to the people who run the program; by default {@link
   * defaultSettingsFile}. It is made if it does not exist. With `enabled=false` in it, nothing is sent.
   */
  readonly settingsFile?: string | undefined;
  /**
   * Takes a message for the first report that fails, and for every report if the settings say `log=true`; by
   * default nothing is logged.
   */
  readonly log?: ((message: string) => void) | undefined;
}

/** A running reporter. */
export interface Reporter {
  /**
   * Sends a report now: for trying out. The collector takes one report of a server in half an hour. Returns
   * the status of the answer, 202 if the report counts; undefined if nothing was sent, because the settings
   * say so or something failed. Never rejects.
   */
  report(): Promise<number | undefined>;
  /** Stops to report. */
  stop(): void;
}

const firstMs = 3 * 60_000;
const everyMs = 30 * 60_000;
const timeoutMs = 10_000;
const valuesTimeoutMs = 10_000;
const compress = promisify(gzip);

/** The file of settings that all programs of a user share. */
export const defaultSettingsFile: string = join(
  homedir(),
  '.config',
  'plugin-metrics',
  'reporter.properties',
);

/**
 * Starts to report. The process can end as if there were no reporter, and nothing that goes wrong later
 * reaches it.
 * @throws TypeError for an address that is not one, and for an id that is not positive.
 */
export function startReporter(options: ReporterOptions): Reporter {
  const { software = 'other', pluginId } = options;
  const address = String(options.address).replace(/\/+$/, '');
  // `fetch` refuses a user and a password, and its message has them.
  if (
    !(/^https?:\/\/[^@?#]+$/i.test(address) && URL.canParse(address)) ||
    !Number.isSafeInteger(pluginId) ||
    pluginId < 1
  )
    throw new TypeError(
      `a reporter needs an address (http or https, no user, no query) and a plugin id; got ${address.replace(/\/\/.*@/, '//…@')}, ${pluginId}`,
    );
  const url = `${address}/api/v2/data/${encodeURIComponent(software)}`;
  let hasFailed = false;
  const report = () =>
    sendReport(url, options, () => {
      const isFirst = !hasFailed;
      hasFailed = true;
      return isFirst;
    });
  let timer = plan(firstMs * (1 + Math.random()));
  function plan(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      timer = plan(everyMs);
      void report();
    }, delayMs).unref();
  }
  return { report, stop: () => clearTimeout(timer) };
}

/** @param noteFailure says of the first failure that it is the first. */
async function sendReport(
  url: string,
  options: ReporterOptions,
  noteFailure: () => boolean,
): Promise<number | undefined> {
  const { settingsFile = defaultSettingsFile, log = () => {} } = options;
  let isLogging = false;
  try {
    const settings = await loadSettings(settingsFile);
    isLogging = settings.isLogging;
    if (!settings.isEnabled) return undefined;
    const json = JSON.stringify(await makeReport(settings.serverId, options));
    const { status, body } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: await compress(json),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // 429 only says that this server has reported in this half hour.
    const isFirstFailure = status >= 300 && status !== 429 && noteFailure();
    if (isLogging || isFirstFailure)
      log(`the collector of plugin metrics, ${url}, answered ${status} to ${json}: ${await startOf(body)}`);
    else await body?.cancel();
    return status;
  } catch (error) {
    try {
      const cause = error instanceof Error && error.cause ? ` (${error.cause})` : '';
      if (noteFailure() || isLogging) log(`no report of plugin metrics was sent to ${url}: ${error}${cause}`);
    } catch {
      // A log that fails must not reach the program either.
    }
    return undefined;
  }
}

async function makeReport(serverId: string, { pluginId, fields, charts, ...about }: ReporterOptions) {
  const [ownFields, ownCharts] = await Promise.all([computeAll(fields), computeAll(charts)]);
  const customCharts = Object.entries(ownCharts).map(([chartId, value]) => ({
    chartId,
    data: typeof value === 'object' ? { values: value } : { value },
  }));
  return {
    serverUUID: serverId,
    // `type` says Windows_NT, and `version` Windows 11 Pro.
    osName: platform() === 'win32' ? version() : type(),
    osArch: arch(),
    osVersion: release(),
    coreCount: availableParallelism(),
    ...ownFields,
    service: { id: pluginId, pluginVersion: about.version, customCharts },
  };
}

/** Reads the first part of an answer, as one line of at most 500 characters. */
async function startOf(body: Response['body']): Promise<string> {
  const reader = body?.getReader();
  const part = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => {});
  return new TextDecoder()
    .decode(part?.value)
    .slice(0, 500)
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** Computes values at the same time, and leaves out those that are late. */
async function computeAll<Value>(
  values: Readonly<Record<string, ComputeValue<Value>>> = {},
): Promise<Record<string, Value>> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), valuesTimeoutMs).unref();
  });
  const computed = await Promise.all(
    Object.entries(values).map(async ([name, compute]): Promise<[string, Value][]> => {
      const value = Promise.resolve()
        .then(compute)
        .catch(() => undefined);
      const inTime = await Promise.race([value, tooLate]);
      return inTime === undefined || inTime === null ? [] : [[name, inTime]];
    }),
  );
  clearTimeout(timer);
  return Object.fromEntries(computed.flat());
}
