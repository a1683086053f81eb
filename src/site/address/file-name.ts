/** Parses file names in paths, such as `players.svg`. */

import type { EndpointRequest } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import { type ChartName, parseChartId, parsePluginId } from '../../model/catalogue.ts';

/** A file name, split into two parts. */
interface FileName<Extension extends string> {
  readonly stem: string;
  readonly extension: Extension;
}

/**
 * Splits the path parameter `file` at its last dot, because ids and names may contain dots.
 * @throws AppError `not_found` if the extension is not one of `extensions`.
 */
export function splitFileName<Extension extends string>(
  { params }: EndpointRequest,
  extensions: readonly Extension[],
): FileName<Extension> {
  const file = params['file'] ?? '';
  const dot = file.lastIndexOf('.');
  const extension = extensions.find((one) => one === file.slice(dot + 1));
  if (dot !== -1 && extension !== undefined) return { stem: file.slice(0, dot), extension };
  const endings = extensions.map((one) => `.${one}`).join(' or ');
  throw new AppError('unknown-path', `a file at this path ends in ${endings}; got ${quote(file)}`);
}

/**
 * Parses a path with the id of a plugin, whose file is a chart of it.
 * @throws AppError `invalid` for a malformed plugin id, `not_found` if there can be no such file.
 */
export function chartFileOf<Extension extends string>(
  request: EndpointRequest,
  extensions: readonly Extension[],
): ChartName & { readonly extension: Extension } {
  const { stem, extension } = splitFileName(request, extensions);
  const pluginId = parsePluginId(request.params['pluginId']);
  return { pluginId, chartId: parseChartId(pluginId, stem), extension };
}
