/**
 * The routes of both builds, as their OpenAPI documents and their sites have them: a route that only one has
 * is asked too.
 */
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Build } from '../../build/commit-build.ts';
import type { Pair } from '../pair.ts';
import { parametersOfSite, type Schema } from './parameters.ts';

/** A parameter of a query. */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
}

/** A path with its parameters in braces, and the parameters of its query. */
export interface Route {
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** Reads the routes of both builds. */
export async function readRoutes(builds: Pair<Build>): Promise<readonly Route[]> {
  const routes = await Promise.all([builds.earlier, builds.present].map(routesOf));
  return [...Map.groupBy(routes.flat(), ({ path }) => path)].map(([path, same]) => {
    const parameters = same.flatMap((route) => route.parameters);
    const byText = new Map(parameters.map((parameter) => [JSON.stringify(parameter), parameter]));
    return { path, parameters: [...byText.values()] };
  });
}

async function routesOf(build: Build): Promise<readonly Route[]> {
  const document: OpenApi = JSON.parse(readFileSync(join(build.folder, 'openapi.json'), 'utf8'));
  const documented = Object.entries(document.paths).map(([path, { parameters, get }]) => ({
    path,
    parameters: [...parameters, ...(get.parameters ?? [])].filter((parameter) => parameter.in === 'query'),
  }));
  const file = join(dirname(build.main), `site/site${extname(build.main)}`);
  const { createSite }: SiteModule = await import(pathToFileURL(file).href);
  const shown = createSite().endpoints.map(({ path }) => ({ path, parameters: parametersOfSite(path) }));
  // Each build has scripts and styles with names of their own: pages lead to them.
  return [...documented, ...shown.filter(({ path }) => !/-[A-Z0-9]{8}\./.test(path))];
}

/** The members of an OpenAPI document that are read. A parameter of a path is a reference, without `in`. */
interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly parameters: readonly DocumentedParameter[];
        readonly get: { readonly parameters?: readonly DocumentedParameter[] };
      }
    >
  >;
}

interface DocumentedParameter extends Parameter {
  readonly in?: string;
}

interface SiteModule {
  readonly createSite: () => { readonly endpoints: ReadonlyArray<{ readonly path: string }> };
}
