/** Checks of the client's types. Not run: `tsc` judges them. */
import { type Chart, type ChartData, isChartOfType, PluginMetricsClient } from '../../src/client/client.ts';

/** The shape of the data follows from the type of the chart. */
export async function dataByType(client: PluginMetricsClient, chart: Chart): Promise<unknown> {
  if (chart.type === 'single_linechart') {
    const points = await client.readChartData(1, 'a', { type: chart.type, maxElements: 1 });
    // @ts-expect-error: a point has two elements
    void points[0]?.[2];
    return points.map(([timestamp, value]) => timestamp + value);
  }
  if (chart.type === 'simple_pie') {
    const slices = await client.readChartData(1, 'a', { type: chart.type });
    // @ts-expect-error: a slice has no value
    void slices[0]?.value;
    return slices.map(({ name, y }) => name.repeat(y));
  }
  if (chart.type === 'drilldown_pie') {
    const { seriesData, drilldownData } = await client.readChartData(1, 'a', { type: chart.type });
    return [seriesData[0]?.drilldown.length, drilldownData[0]?.data[0]?.[1].toFixed()];
  }
  if (chart.type === 'advanced_map') {
    const countries = await client.readChartData(1, 'a', { type: chart.type });
    return countries.map(({ code, value }) => code.repeat(value));
  }
  if (chart.type === 'simple_bar') {
    const bars = await client.readChartData(1, 'a', { type: chart.type });
    // @ts-expect-error: some servers still send categories and series
    void bars.length;
    return 'categories' in bars ? bars.categories.length : bars[0]?.data[0]?.toFixed();
  }
  const other = await client.readChartData(1, 'a', { type: chart.type });
  // @ts-expect-error: nothing is known about other types
  void other.length;
  return other;
}

/** Without a type nothing is known about the data; a name outside the interface is a type too. */
export async function otherData(client: PluginMetricsClient): Promise<void> {
  const data = await client.readChartData(1, 'a', { maxElements: 2 });
  // @ts-expect-error: unknown
  void data[0];
  const other: ChartData<'new_type'> = await client.readChartData(1, 'a', { type: 'new_type' });
  // @ts-expect-error: unknown
  void other[0];
}

/** An unknown type can be compared with a string. */
export function isNew({ type }: Chart): boolean {
  return type === 'new_type' || type.startsWith('new_');
}

/** Optional fields must be checked before use. */
export async function catalogue(client: PluginMetricsClient): Promise<void> {
  const [plugin] = await client.listPlugins({ signal: AbortSignal.timeout(1000) });
  // @ts-expect-error: some servers leave the id of an owner out
  plugin?.owner.id.toFixed();
  plugin?.software.name?.trim();
  // @ts-expect-error: results are read-only
  if (plugin !== undefined) plugin.name = 'other';
  const { charts } = await client.getPlugin(1);
  // @ts-expect-error: there may be no such chart
  void charts['players'].title;
  const [software] = await client.listSoftware();
  // @ts-expect-error: a software may have none
  void software?.globalPlugin.id;
}

/**
 * The newest data of a chart are typed by `isChartOfType`; a time is a number, text or a date, and a window
 * is of one kind.
 */
export async function secondInterface(client: PluginMetricsClient): Promise<void> {
  const { charts } = await client.getPluginNow(1);
  for (const chart of charts) {
    // @ts-expect-error: unknown
    void chart.latest?.[0];
    if (isChartOfType(chart, 'single_linechart')) void chart.latest?.[1].toFixed();
    // @ts-expect-error: a line without points has none
    if (isChartOfType(chart, 'single_linechart')) void chart.latest[1];
    if (isChartOfType(chart, 'drilldown_pie')) void chart.latest.drilldownData;
    // @ts-expect-error: no type of the interface
    void isChartOfType(chart, 'new_type');
  }
  const { series } = await client.readSeries({
    charts: ['1:a'],
    from: '2026-01-01',
    to: new Date(),
    step: '1d',
  });
  for (const one of series) {
    // @ts-expect-error: a sum is of several charts
    void one.chartId;
    if (one.isSum !== true) one.chartId?.trim();
    void one.values[0]?.toFixed();
  }
  await client.readSeries({ charts: ['1:a'], from: 0 });
  // @ts-expect-error: a window with an end has a beginning
  await client.readSeries({ charts: ['1:a'], to: 0 });
  // @ts-expect-error: CSV has no bands
  await client.readSeriesCsv({ charts: ['1:a'], band: true });
  // @ts-expect-error: a window has either times or a range
  await client.readSeries({ charts: ['1:a'], from: 0, to: 1, range: 'all' });
  // @ts-expect-error: a chart has the name of its plugin
  await client.readSeries({ charts: ['players'] });
  // @ts-expect-error: no such step
  await client.readSeries({ charts: ['1:a'], step: '2 hours' });
}

/** The platform's own fetch can be passed in, and so can a wrapper. */
export const clients = [
  new PluginMetricsClient('https://example.org', { fetch, retries: 3 }),
  new PluginMetricsClient('https://example.org', {
    fetch: (url, init) => fetch(url, { ...init, redirect: 'manual' }),
  }),
  // @ts-expect-error: a count
  new PluginMetricsClient('https://example.org', { retries: 'many' }),
];
