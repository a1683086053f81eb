/** The charts that an element names. */
import type { ChartName } from '../../../model/chart.ts';
import { linesFields } from '../../state/compare-query.ts';
import { accept } from '../../state/fields.ts';

/** The address of charts. */
export interface ChartAddress {
  /** The URL in front of `api/v2`, with a slash at its end. */
  readonly server: string;
  /** One, or those that are compared. */
  readonly charts: readonly ChartName[];
  readonly isComparison: boolean;
}

/** The server that this script came from. */
const ownServer = new URL('.', import.meta.url).href;

/** Reads the charts that the attributes of an element name; undefined if they name none. */
export function chartAddressOf(element: HTMLElement): ChartAddress | undefined {
  const server = URL.parse(element.getAttribute('server') || ownServer, document.baseURI);
  const list = element.getAttribute('charts');
  const charts =
    list === null ? oneChart(element) : accept(linesFields, new URLSearchParams({ charts: list })).charts;
  if (charts.length === 0 || server === null) return undefined;
  return { server: server.href.replace(/\/?(?:[?#].*)?$/, '/'), charts, isComparison: list !== null };
}

function oneChart(element: HTMLElement): readonly ChartName[] {
  const plugin = element.getAttribute('plugin') ?? '';
  const chartId = element.getAttribute('chart') ?? '';
  const pluginId = /^\d+$/.test(plugin) ? Number(plugin) : Number.NaN;
  return Number.isSafeInteger(pluginId) && chartId !== '' ? [{ pluginId, chartId }] : [];
}
