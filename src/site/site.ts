/** What people look at: images, badges and pages, as endpoints beside those of the interface. */
import type { Endpoint } from '../http/endpoint.ts';
import type { HttpServerOptions } from '../http/server-options.ts';
import { browserFileEndpoint } from './assets/browser-file-endpoint.ts';
import { csvEndpoint } from './csv/csv-endpoints.ts';
import { Directories } from './directory/directories.ts';
import { PngMaker } from './images/png-maker.ts';
import { imageEndpoints } from './images/routes.ts';
import { pageEndpoints } from './pages/routes.ts';
import { redirectEndpoints } from './redirects.ts';
import { showProblem } from './show-problem.ts';

/** What a site needs to know. */
export interface SiteOptions {
  /** How many PNGs this process makes at once; each takes a core. */
  readonly maxPngsAtOnce: number;
}

/** The endpoints of the site, and how their errors look. */
export interface Site {
  readonly endpoints: readonly Endpoint[];
  readonly showProblem: NonNullable<HttpServerOptions['showProblem']>;
}

/** Makes the site. What it draws with is loaded by the first request that needs it. */
export function createSite({ maxPngsAtOnce }: SiteOptions): Site {
  const pngs = new PngMaker(maxPngsAtOnce);
  const directories = new Directories();
  return {
    endpoints: [
      browserFileEndpoint('embed.js'),
      browserFileEndpoint('site.js'),
      browserFileEndpoint('site.css'),
      ...imageEndpoints(directories, pngs),
      ...pageEndpoints(directories),
      csvEndpoint,
      ...redirectEndpoints(directories),
    ],
    showProblem: (problem, request) => showProblem(problem, request, pngs),
  };
}
