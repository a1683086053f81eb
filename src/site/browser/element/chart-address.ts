/** The chart that an element names. */

/** The address of a chart. */
export interface ChartAddress {
  /** The URL in front of `api/v2`, with a slash at its end. */
  readonly server: string;
  readonly pluginId: number;
  readonly chartId: string;
}

/** The server that this script came from. */
const ownServer = new URL('.', import.meta.url).href;

/** Reads the chart that the attributes of an element name; undefined if they name none. */
export function chartAddressOf(element: HTMLElement): ChartAddress | undefined {
  const plugin = element.getAttribute('plugin') ?? '';
  const chartId = element.getAttribute('chart') ?? '';
  const pluginId = /^\d+$/.test(plugin) ? Number(plugin) : Number.NaN;
  const server = URL.parse(element.getAttribute('server') || ownServer, document.baseURI);
  if (!Number.isSafeInteger(pluginId) || chartId === '' || server === null) return undefined;
  return { server: server.href.replace(/\/?(?:[?#].*)?$/, '/'), pluginId, chartId };
}
