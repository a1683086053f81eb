/** `/sitemap.xml`: the URLs of all plugins for search engines, and `/robots.txt`, which points to it. */

import { type Endpoint, Redirect, type ResponseBody } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import type { Links } from '../../model/links.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginKey } from '../../model/plugin-list.ts';
import { comparePath, homePath, pluginPath, softwarePath } from '../address/paths.ts';
import { totalsOf } from './totals.ts';

/**
 * Maximum number of URLs in a file. The limits are 50,000 and 50 MiB (sitemaps.org); a URL takes up to 2.5
 * KB, because emoji are long when percent-encoded.
 */
const maxAddresses = 20_000;

/** Number of URLs in a part. */
const addressesPerPart = 256;

const sitemapPath = '/sitemap.xml';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Endpoints of the sitemap. If the URLs do not fit into one file, the sitemap is an index of several. */
export const sitemapEndpoints: readonly Endpoint[] = [
  { path: sitemapPath, ask: ({ links }) => ask(sitemapPath, links) },
  {
    path: '/sitemap/{file}',
    ask: ({ params: { file = '' }, links }) => {
      const [, number] = /^([1-9][0-9]{0,5})\.xml$/.exec(file) ?? [];
      if (number !== undefined) return ask(`/sitemap/${file}`, links, Number(number));
      throw new AppError('unknown-path', `there is no sitemap ${quote(file)}`);
    },
  },
];

function ask(path: string, { server }: Links, file?: number): ResponseBody {
  return {
    key: `${path} ${server}`,
    server,
    mediaType: 'application/xml; charset=utf-8',
    source: 'catalogue',
    size: 'large',
    parts: (reader) => reader.stream((view) => sitemap(view, server, file)),
  };
}

/** Allows robots everything except comparisons, of which there is an endless number. */
export const robotsEndpoint: Endpoint = {
  path: '/robots.txt',
  ask: ({ links }) => ({
    key: `/robots.txt ${links.server}`,
    server: links.server,
    mediaType: 'text/plain; charset=utf-8',
    source: 'catalogue',
    size: 'small',
    async *parts() {
      yield `User-agent: *\nDisallow: ${links.to(comparePath)}\nSitemap: ${links.server}${sitemapPath}\n`;
    },
  }),
};

/** Yields the sitemap (`file` undefined), or one of its files. */
async function* sitemap(
  view: MetricsView,
  server: string,
  file: number | undefined,
): AsyncGenerator<string | Redirect> {
  const { software, pluginCount } = totalsOf(await view.listSoftwareNow());
  const lists = [homePath, ...software.map(({ url }) => softwarePath(url))];
  const count = software.reduce((sum, { globalCount }) => sum + globalCount, lists.length + pluginCount);
  const fileCount = Math.ceil(count / maxAddresses);
  if (file === undefined && fileCount > 1) {
    const items = Array.from({ length: fileCount }, (_, index) => `${server}/sitemap/${index + 1}.xml`);
    yield `${declaration}<sitemapindex ${namespace}>\n${items.map((url) => `<sitemap><loc>${url}</loc></sitemap>\n`).join('')}</sitemapindex>\n`;
    return;
  }
  const start = ((file ?? 1) - 1) * maxAddresses;
  if (start >= count) return yield new Redirect(sitemapPath);
  const shown = lists.slice(start, start + maxAddresses);
  yield `${declaration}<urlset ${namespace}>\n${shown.map((path) => addressOf(server + path)).join('')}`;
  let left = maxAddresses - shown.length;
  let skip = Math.max(0, start - lists.length);
  let after: PluginKey | undefined;
  while (left > 0) {
    const limit = Math.min(left, addressesPerPart);
    const request = { sort: 'id', descending: false, limit, after, skip } as const;
    const { plugins, next } = await view.findPlugins(request);
    yield plugins.map((plugin) => addressOf(server + pluginPath(plugin))).join('');
    left -= plugins.length;
    skip = 0;
    if (next === undefined) break;
    after = next;
  }
  yield '</urlset>\n';
}

function addressOf(url: string): string {
  return `<url><loc>${url}</loc></url>\n`;
}
