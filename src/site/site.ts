/**
 * The site for people: images, badges, pages and CSV files, in addition to the endpoints of the interface.
 */

import type { Site } from '../http/app.ts';
import { browserFileEndpoints } from './assets/browser-files.ts';
import { csvEndpoint } from './csv/chart-csv.ts';
import { feedEndpoints } from './feed/feeds.ts';
import { chartBadge, sumBadges } from './images/badges.ts';
import { chartImage } from './images/chart.ts';
import { overviewImage, signatureImage } from './images/overview.ts';
import { linesImages, sharesImages } from './images/several-charts.ts';
import { aboutEndpoint } from './pages/about-page.ts';
import { compareEndpoint } from './pages/compare/compare-page.ts';
import { faviconEndpoints } from './pages/favicon.ts';
import { listEndpoints } from './pages/list/list-page.ts';
import { pluginPageEndpoint } from './pages/plugin/plugin-page.ts';
import { redirectEndpoints } from './pages/redirects.ts';
import { robotsEndpoint, sitemapEndpoints } from './pages/sitemap.ts';
import { showProblem } from './show-problem.ts';

/** Makes the site. */
export function createSite(): Site {
  return {
    endpoints: [
      ...browserFileEndpoints(),
      overviewImage,
      chartImage,
      signatureImage,
      ...linesImages,
      ...sharesImages,
      chartBadge,
      ...sumBadges,
      ...listEndpoints,
      pluginPageEndpoint,
      compareEndpoint,
      aboutEndpoint,
      ...faviconEndpoints,
      robotsEndpoint,
      ...sitemapEndpoints,
      csvEndpoint,
      ...feedEndpoints,
      ...redirectEndpoints,
    ],
    showProblem,
  };
}
