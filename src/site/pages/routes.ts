/** The pages of the site. */
import type { Endpoint } from '../../http/endpoint.ts';
import { compareEndpoint } from './compare-endpoint.ts';
import { faviconEndpoint, faviconIcoEndpoint } from './favicon.ts';
import { homeEndpoint, ownerEndpoint, softwareEndpoint } from './list-endpoints.ts';
import { pluginEndpoint, shortPluginEndpoint } from './plugin-endpoint.ts';
import { robotsEndpoint, sitemapEndpoint, sitemapFileEndpoint } from './sitemap.ts';

/** Their endpoints. */
export const pageEndpoints: readonly Endpoint[] = [
  homeEndpoint,
  softwareEndpoint,
  ownerEndpoint,
  pluginEndpoint,
  shortPluginEndpoint,
  compareEndpoint,
  faviconEndpoint,
  faviconIcoEndpoint,
  robotsEndpoint,
  sitemapEndpoint,
  sitemapFileEndpoint,
];
