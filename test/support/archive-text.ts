/** Makes archives line by line. */

type Fields = Readonly<Record<string, unknown>>;

/** The first line of every archive. */
export const headerLine = '{"record":"archive","version":1}';

/** Makes a software record; the given fields override the defaults. */
export function softwareLine(fields: Fields = {}): string {
  return JSON.stringify({
    record: 'software',
    id: 1,
    name: 'Bukkit / Spigot',
    url: 'bukkit',
    globalPluginId: null,
    ...fields,
  });
}

/** Makes a plugin record. */
export function pluginLine(fields: Fields = {}): string {
  const owner = { id: 42, name: 'ExampleUser' };
  return JSON.stringify({
    record: 'plugin',
    id: 7,
    name: 'ExamplePlugin',
    owner,
    softwareId: 1,
    isGlobal: false,
    ...fields,
  });
}

/** Makes a chart record: the line `players` of plugin 7. */
export function chartLine(fields: Fields = {}): string {
  return JSON.stringify({
    record: 'chart',
    pluginId: 7,
    chartId: 'players',
    uid: 70,
    type: 'single_linechart',
    position: 0,
    title: 'Players',
    isDefault: true,
    data: { lineName: 'Players' },
    ...fields,
  });
}

/** Makes a data record from JSON text. */
export function dataLine(chartId: string, data: string): string {
  return `{"record":"data","pluginId":7,"chartId":"${chartId}","data":${data}}`;
}

/** Makes an event record; for plugin 7 by default. */
export function eventLine(time: number, title: string, url: string | null = null, pluginId = 7): string {
  return JSON.stringify({ record: 'event', pluginId, time, title, url });
}

/** Makes a removal record; for every plugin by default. */
export function removalLine(before: number | null, of: Fields = {}): string {
  return JSON.stringify({ record: 'removal', ...of, before });
}

/** Makes the end record of an archive with this many records. */
export function endLine(recordCount: number): string {
  return `{"record":"end","records":${recordCount}}`;
}

/** Makes an archive of lines, between header and end. */
export function archiveText(lines: readonly string[]): string {
  return [headerLine, ...lines, endLine(lines.length), ''].join('\n');
}

/** Makes an archive of the version with histories and events. */
export function pastText(lines: readonly string[]): string {
  return archiveText(lines).replace('"version":1', '"version":2');
}

/** Makes an archive of the version with windows of removed points. */
export function windowsText(lines: readonly string[]): string {
  return archiveText(lines).replace('"version":1', '"version":3');
}

/** Makes the removal record of a window of a chart; `before` is exclusive. */
export function windowLine(
  [after, before]: readonly [after: number, before: number],
  { pluginId = 7, chartId = 'players' } = {},
): string {
  return JSON.stringify({ record: 'removal', pluginId, chartId, before, after });
}

/** Lists the lines of an archive without header and end. */
export function linesIn(text: string): string[] {
  return text.split('\n').slice(1, -2);
}
