/**
 * A line of the log of a slot: the contribution of one report, as JSON. Names are values in it and never keys
 * of an object, because V8 14.6 misreads a key with an escaped quote after one with an escaped backslash.
 */
import type { Chart } from '../model/catalogue.ts';
import type { ReportedValue } from './reported-value.ts';

/**
 * The contribution of a report to the charts of one plugin, by {@link chartName}: the number of a line, or
 * the key of each share with its numbers after it.
 */
export type PluginReport = readonly [
  pluginId: number,
  ...values: readonly (readonly [chart: string, ...parts: readonly (string | number)[]])[],
];

/**
 * The name of a chart in the log, with its type, because a chart without data may get another type until the
 * slot is closed. Names sort like chart ids, because no id has a character below the space.
 */
export function chartName({ chartId, type }: Pick<Chart, 'chartId' | 'type'>): string {
  return `${chartId} ${type}`;
}

/**
 * The hashes of a report. Without the key of its slot, each looks like a random integer of {@link hashBits}.
 */
export interface ReportHashes {
  /** The hash of the id of the server. */
  readonly server: number;
  /** The hash of the address that it came from. */
  readonly address: number;
}

/** Wide enough to avoid collisions within a slot, and still a safe integer. */
export const hashBits = 52;

/** A report in the log. */
export interface LoggedReport extends ReportHashes {
  /** The most servers of one address that count for a plugin, as set at its collector. */
  readonly maxPerAddress: number;
  readonly plugins: readonly PluginReport[];
  /** The part for the global plugin of the software, if it counts. */
  readonly globalPlugin: PluginReport | null;
}

/** A plugin of a report, as written to the log. */
export type PluginText = readonly [pluginId: number, json: string];

/** A report to keep. */
export interface Submission extends ReportHashes {
  readonly plugins: readonly PluginText[];
  /** The part for the global plugin, which counts once per server if one of the plugins counts. */
  readonly globalPlugin: PluginText | null;
}

/** Renders the part of a line for one plugin. */
export function renderPlugin(
  pluginId: number,
  values: Iterable<readonly [chart: string, value: ReportedValue]>,
): PluginText {
  const report: unknown[] = [pluginId];
  for (const [chart, value] of values)
    report.push([chart, ...(typeof value === 'number' ? [value] : value.flat())]);
  return [pluginId, JSON.stringify(report)];
}

/** Renders a line, with its end. */
export function renderLine(
  { server, address, plugins, globalPlugin }: Submission,
  maxPerAddress: number,
): string {
  const all = [globalPlugin, ...plugins].map((plugin) => plugin?.[1] ?? 'null');
  return `[${server},${address},${maxPerAddress},${all.join()}]\n`;
}

/** Parses the lines of an append. */
export function* parseLines(text: string): Generator<LoggedReport> {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const [server, address, maxPerAddress, globalPlugin, ...plugins] = JSON.parse(text.slice(start, end)) as [
      number,
      number,
      number,
      PluginReport | null,
      ...PluginReport[],
    ];
    yield { server, address, maxPerAddress, plugins, globalPlugin };
    start = end + 1;
  }
}

/** The key of a server, or of an address, for a plugin. For one hash, it differs between plugins. */
export function keyFor(hash: number, pluginId: number): number {
  return (hash + pluginId) % 2 ** hashBits;
}
