/** The addresses of pages, pictures and data, from a leading slash on, percent-encoded. */

/** The parts of a plugin that are in the address of its page. */
export interface PluginAddress {
  readonly id: number;
  readonly name: string;
  readonly software: { readonly url: string };
}

/** The page of all plugins. */
export const homePath = '/';

/** The comparison page. */
export const comparePath = '/compare';

/** The page about the numbers and the server. */
export const aboutPath = '/about';

/** The icon of the site. */
export const faviconPath = '/favicon.svg';

/** The page of a plugin: the form that people link to. */
export function pluginPath({ id, name, software }: PluginAddress): string {
  return `/plugin/${software.url}/${encodeStrictly(nameSegment(name))}/${id}`;
}

/**
 * Percent-encodes everything but letters, digits and `-_.~` (RFC 3986 2.3), so that an address needs no escape in HTML, Markdown
 * and BBCode.
 */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * The name of a plugin as a path segment, decoded. Browsers and proxies resolve `.` and `..`, even percent-encoded (WHATWG URL
 * 4.4), and some proxies decode `%2F`, so these become `-`. The id identifies the plugin, so names may coincide.
 */
function nameSegment(name: string): string {
  return name === '.' || name === '..' ? '-' : name.replaceAll('/', '-');
}

/** True for the path segment of a name, with its slashes too, as addresses of earlier releases have it. */
export function isSegmentOf(name: string, segment: string): boolean {
  return segment === nameSegment(name) || segment === name;
}

/** The data of a chart as CSV. */
export function csvPath(plugin: PluginAddress, chartId: string): string {
  return `${pluginPath(plugin)}/${chartId}.csv`;
}

/** The feed of a plugin. */
export function feedPath(plugin: PluginAddress, format: 'atom' | 'json'): string {
  return `${pluginPath(plugin)}/feed.${format}`;
}

/** A plugin with the definitions of its charts as JSON. */
export function pluginJsonPath(pluginId: number): string {
  return `/api/v1/plugins/${pluginId}`;
}

/** A plugin with the newest data of its charts as JSON. */
export function pluginNowPath(pluginId: number): string {
  return `/api/v2/plugins/${pluginId}`;
}

/** Everything about a plugin as CSV, as spreadsheets read it. */
export function pluginCsvPath(pluginId: number): string {
  return `${pluginNowPath(pluginId)}/export.csv?bom=true`;
}

/** Everything about a plugin as an archive. */
export function pluginArchivePath(pluginId: number): string {
  return `${pluginNowPath(pluginId)}/archive`;
}

/** The data of a chart as JSON. */
export function jsonPath(pluginId: number, chartId: string): string {
  return `${pluginJsonPath(pluginId)}/charts/${chartId}/data`;
}

/** The page of the plugins of a software. */
export function softwarePath(softwareUrl: string): string {
  return `/software/${softwareUrl}`;
}

/** The page of the plugins of an owner. */
export function ownerPath(ownerId: number): string {
  return `/owner/${ownerId}`;
}

/** One chart as a picture. */
export function chartPicturePath(pluginId: number, chartId: string, extension: 'svg' | 'png'): string {
  return `/embed/${pluginId}/${chartId}.${extension}`;
}

/** Servers and players of a plugin as a picture. */
export function overviewPicturePath(pluginId: number, extension: 'svg' | 'png'): string {
  return `/embed/${pluginId}.${extension}`;
}

/** Several lines as a picture, or their sum. */
export function linesPicturePath(extension: 'svg' | 'png'): string {
  return `/embed/lines.${extension}`;
}

/** Query parameters: those with several values are given several times, and those that are undefined are left out. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A path with a query. */
export function withQuery(path: string, parameters: QueryParameters): string {
  const query = Object.entries(parameters)
    .flatMap(([name, values = []]) => [values].flat().map((value) => `${name}=${encodeQuery(value)}`))
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** A query may have commas and colons (RFC 3986 3.4), and `1337:players` is easier to read with them. */
function encodeQuery(value: string): string {
  // The name of a share may be cut within a character.
  return encodeStrictly(value.toWellFormed())
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%20', '+');
}
