/**
 * Parses reports: the JSON that a server sends every half hour for one plugin or, in the old form, for all of
 * its plugins. Unknown members are ignored; a malformed chart is left out, and the rest counts.
 */
import { AppError } from '../model/app-error.ts';
import { maxId } from '../model/catalogue.ts';

/** A report. */
export interface ServerReport {
  /** The id that the server gave itself. */
  readonly serverUuid: string;
  /** The members about the server; default charts are computed from them. */
  readonly fields: ReportFields;
  readonly plugins: readonly ReportedPlugin[];
  /** True for the old form, which skips unknown plugins. */
  readonly isOld: boolean;
}

/** Unchecked members of a report. */
export type ReportFields = Readonly<Record<string, unknown>>;

/** A plugin in a report: it has an id, or only a name. */
export interface ReportedPlugin {
  readonly id: number | undefined;
  /** Empty if it has none. */
  readonly name: string;
  /** Unchecked; undefined if it is missing. */
  readonly version: unknown;
  readonly charts: ReportedCharts;
}

/**
 * The charts that the author of a plugin added, by id, with their data. The form of the data depends on the
 * type of the chart, which is not in the report.
 */
export type ReportedCharts = ReadonlyMap<string, ReportFields>;

/**
 * Parses the body of a report.
 * @param text must be valid UTF-8.
 * @throws AppError `invalid` for anything but JSON, and for a required member that is missing or of a wrong
 * kind.
 */
export function parseReport(text: string): ServerReport {
  const fields = parseJson(text);
  if (!isObject(fields)) throw malformedReport('it must be an object');
  const { serverUUID: serverUuid, service, plugins } = fields;
  if (typeof serverUuid !== 'string' || serverUuid === '')
    throw malformedReport('serverUUID must be a string that is not empty');
  if (service === undefined && Array.isArray(plugins))
    return { serverUuid, fields, plugins: oldPlugins(plugins), isOld: true };
  if (!isObject(service) || !isId(service['id']))
    throw malformedReport(`service must be an object with an id, an integer from 1 to ${maxId}`);
  const plugin = { id: service['id'], name: '', ...aboutPlugin(service) };
  return { serverUuid, fields, plugins: [plugin], isOld: false };
}

/**
 * An escape; for an escaped backslash, also the rest of its string and the colon after a key. V8 14.6
 * compares a key with the key that an earlier object had at the same place, without decoding it first: after
 * `"a\\"` it reads `"a\u00e9"` as the same key.
 */
const escapes = /\\(?:(?:\\|u005c)(?:[^"\\]|\\.)*(?:"([ \t\r\n]*:)?)?|.)/gisu;

/** Ends every key that has a backslash with a NUL, which no text of a key has. */
function markKeys(text: string): string {
  return text.replace(escapes, (all: string, colon?: string) =>
    colon === undefined ? all : `${all.slice(0, -1 - colon.length)}\\u0000"${colon}`,
  );
}

function parseJson(text: string): unknown {
  // The NUL is removed from the name of a share again; other keys with a backslash are not used.
  const safe = /\\(?:\\|u005c)/iu.test(text) ? markKeys(text) : text;
  try {
    return JSON.parse(safe);
  } catch {
    // The message of the parser repeats text of the report.
    throw malformedReport('it is not valid JSON');
  }
}

/**
 * The most plugins in a report; more are left out. Each needs a lookup in the store, so a report of 100,000
 * would delay all others.
 */
export const maxReportedPlugins = 1000;

function oldPlugins(entries: readonly unknown[]): readonly ReportedPlugin[] {
  return entries
    .slice(0, maxReportedPlugins)
    .filter(isObject)
    .map((entry) => {
      const { id, pluginName: name } = entry;
      return {
        id: isId(id) ? id : undefined,
        name: typeof name === 'string' ? name : '',
        ...aboutPlugin(entry),
      };
    });
}

function aboutPlugin({ pluginVersion, customCharts }: ReportFields) {
  const charts = new Map<string, ReportFields>();
  for (const chart of Array.isArray(customCharts) ? customCharts : []) {
    if (!isObject(chart)) continue;
    const { chartId, data } = chart;
    if (typeof chartId !== 'string' || charts.has(chartId)) continue;
    charts.set(chartId, isObject(data) ? data : {});
  }
  return { version: pluginVersion, charts };
}

/** True for a JSON object. */
export function isObject(value: unknown): value is ReportFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

/** Makes the error for a report that is malformed. */
export function malformedReport(fault: string): AppError {
  return new AppError('malformed-report', `the report is malformed: ${fault}`);
}
