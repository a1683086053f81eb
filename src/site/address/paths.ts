/** Paths of pages, pictures and data: percent-encoded, with a leading slash. */

/** The fields of a plugin that its page address contains. */
export interface PluginAddress {
  readonly id: number;
  readonly name: string;
  readonly software: { readonly url: string };
}

/** Path of the list of all plugins. */
export const homePath = '/';

/** Path of the comparison page. */
export const comparePath = '/compare';

/** Path of the page about the numbers and the server. */
export const aboutPath = '/about';

/** Path of the icon of the site. */
export const faviconPath = '/favicon.svg';

/** Returns the path of the page of a plugin, in the form that people link to. */
export function pluginPath({ id, name, software }: PluginAddress): string {
  return `/plugin/${software.url}/${encodeStrictly(nameSegment(name))}/${id}`;
}

/** Returns the path of the page of a plugin on several platforms: ascending ids, the first is its own. */
export function platformsPath(plugin: PluginAddress, ids: readonly number[]): string {
  return (
    pluginPath(plugin) +
    ids
      .slice(1)
      .map((id) => `+${id}`)
      .join('')
  );
}

/**
 * Percent-encodes everything but letters, digits and `-_.~` (RFC 3986 2.3), so that a path needs no escaping
 * in HTML, Markdown or BBCode.
 */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Returns the name of a plugin as a decoded path segment. Browsers and proxies resolve `.` and `..`, even
 * percent-encoded (WHATWG URL 4.4), and some proxies decode `%2F`; all of these become `-`. Segments need not
 * be unique, because the id identifies the plugin.
 */
function nameSegment(name: string): string {
  return name === '.' || name === '..' ? '-' : name.replaceAll('/', '-');
}

/**
 * True if the parameters of a path name a plugin as its address does, or by its name with slashes, which
 * earlier releases used.
 */
export function isAddressOf(
  { name, software }: PluginAddress,
  { softwareUrl, pluginName }: Readonly<Record<string, string | undefined>>,
): boolean {
  return softwareUrl === software.url && (pluginName === nameSegment(name) || pluginName === name);
}

/** Returns the path of the data of a chart as CSV. */
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

/** Returns the path of a plugin with the newest data of its charts as JSON. */
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

/** Returns the path of the data of a chart as JSON. */
export function jsonPath(pluginId: number, chartId: string): string {
  return `${pluginJsonPath(pluginId)}/charts/${chartId}/data`;
}

/** Returns the path of the page of a software. */
export function softwarePath(softwareUrl: string): string {
  return `/software/${softwareUrl}`;
}

/** Returns the path of the page of an owner. */
export function ownerPath(ownerId: number): string {
  return `/owner/${ownerId}`;
}

/** Returns the path of the picture of a chart. */
export function chartPicturePath(pluginId: number, chartId: string, extension: 'svg' | 'png'): string {
  return `/embed/${pluginId}/${chartId}.${extension}`;
}

/** Returns the path of the picture of a plugin's servers and players. */
export function overviewPicturePath(pluginId: number, extension: 'svg' | 'png'): string {
  return `/embed/${pluginId}.${extension}`;
}

/** Query parameters: an array repeats the parameter, and undefined omits it. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Appends a query to a path. */
export function withQuery(path: string, parameters: QueryParameters): string {
  const query = Object.entries(parameters)
    .flatMap(([name, values = []]) => [values].flat().map((value) => `${name}=${encodeQuery(value)}`))
    .join('&');
  return query === '' ? path : `${path}?${query}`;
}

/**
 * Encodes a query value, but keeps commas and colons (RFC 3986 3.4), because `1337:players` is easier to
 * read.
 */
function encodeQuery(value: string): string {
  // The name of a share may have been cut within a surrogate pair.
  return encodeStrictly(value.toWellFormed())
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%20', '+');
}
