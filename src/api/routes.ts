/** The route table: the six endpoints of interface.md, section 4, in its order. */
import type { Endpoint, Question } from '../http/endpoint.ts';
import { chart } from './endpoints/chart.ts';
import { chartData } from './endpoints/chart-data.ts';
import { chartRegistry } from './endpoints/chart-registry.ts';
import { plugin } from './endpoints/plugin.ts';
import { pluginList } from './endpoints/plugin-list.ts';
import { softwareList } from './endpoints/software-list.ts';

export const endpoints: readonly Endpoint[] = [
  pluginList,
  plugin,
  chartRegistry,
  chart,
  chartData,
  softwareList,
];

/** The path of the OpenAPI document, which stands beside the interface. */
export const openapiPath = '/openapi.json';

/** Whether some method answers on this path, with or without one trailing slash. */
export function isKnownPath(path: string): boolean {
  const plain = decodeUnreserved(path);
  return knownPaths.some((pattern) => pattern.test(plain));
}

/** The path with letters, digits and their like as themselves: they mean the same (RFC 3986 6.2.2.2). */
function decodeUnreserved(path: string): string {
  return path.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi, decodeURIComponent);
}

const knownPaths = [openapiPath, ...endpoints.map((endpoint) => endpoint.path)].map(
  (path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
);

const parameterForms: Readonly<Record<string, string>> = {
  pluginId: '\\d{1,15}',
  chartId: '[\\w.~-]{1,100}',
};

const plainPaths = endpoints.map((endpoint) => {
  const path = endpoint.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `(?<${name}>${parameterForms[name]})`,
  );
  return { endpoint, pattern: new RegExp(`^${path}$`) };
});

/**
 * What a target asks for, where it needs no decoding: ids in plain characters, no slash at the end. Undefined
 * for every other target, which is for the router.
 */
export function questionFor(target: string): Question | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? '' : target.slice(mark + 1);
  for (const { endpoint, pattern } of plainPaths) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const { pluginId = '', chartId = '' } = match.groups ?? {};
    return endpoint.ask({ pluginId, chartId, query });
  }
  return undefined;
}
