/** The pages of the site. */
import type { Endpoint } from '../../http/endpoint.ts';
import type { Directories } from '../directory/directories.ts';
import { compareEndpoint } from './compare-endpoint.ts';
import { faviconEndpoint, faviconIcoEndpoint } from './favicon.ts';
import { listEndpoints } from './list-endpoints.ts';
import { pluginEndpoint, shortPluginEndpoint } from './plugin-endpoint.ts';
import { robotsEndpoint, sitemapEndpoints } from './sitemap.ts';

/** Their endpoints. */
export function pageEndpoints(directories: Directories): readonly Endpoint[] {
  return [
    ...listEndpoints(directories),
    pluginEndpoint(directories),
    shortPluginEndpoint,
    compareEndpoint(directories),
    faviconEndpoint,
    faviconIcoEndpoint,
    robotsEndpoint,
    ...sitemapEndpoints(directories),
  ];
}
