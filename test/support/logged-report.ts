/** Makes lines of the log of a slot, as a collector writes them. */
import { renderLine, renderPlugin } from '../../src/collect/report-line.ts';
import type { ReportedValue } from '../../src/collect/reported-value.ts';

/** Values by chart and its type, such as `{ 'players single_linechart': 5 }`. */
type Values = Readonly<Record<string, ReportedValue>>;

/** The bits of all parts of a slot. */
export const allParts = 2 ** 30 - 1;

/**
 * Optional parts of a report: the number of its address (that of the server by default), the limit per
 * address, and the values of the global plugin 1.
 */
interface MoreOfReport {
  readonly address?: number;
  readonly maxPerAddress?: number;
  readonly globalPlugin?: Values;
}

/** Makes a line. @param plugins values by plugin id. */
export function loggedReport(
  server: number,
  plugins: Readonly<Record<number, Values>>,
  { address = server, maxPerAddress = 1000, globalPlugin }: MoreOfReport = {},
): string {
  const textOf = (id: number, values: Values) => renderPlugin(id, Object.entries(values));
  const report = {
    server: hashOf(server),
    address: hashOf(address),
    plugins: Object.entries(plugins).map(([id, values]) => textOf(Number(id), values)),
    globalPlugin: globalPlugin ? textOf(1, globalPlugin) : null,
  };
  return renderLine(report, maxPerAddress);
}

/** Makes a hash; the hashes are as far apart as those of real reports. */
function hashOf(number: number): number {
  return (1 + number) * 1_000_000_007;
}
