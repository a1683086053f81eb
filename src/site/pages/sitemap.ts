/** `/sitemap.xml`: the addresses of all plugins for search engines, and `/robots.txt`, which names it. */

import { type Endpoint, type EndpointRequest, Redirect } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginKey } from '../../model/plugin-list.ts';
import { comparePath, homePath, pluginPath, softwarePath } from '../address/paths.ts';
import { totalsOf } from './totals.ts';

/**
 * Addresses in a file. The limits are 50,000 and 50 MiB (sitemaps.org), and an address takes up to 2.5 KB, as emoji are long when
 * percent-encoded.
 */
const maxAddresses = 20_000;

/** Addresses in a part. */
const addressesPerPart = 256;

const sitemapPath = '/sitemap.xml';
const xmlMediaType = 'application/xml; charset=utf-8';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** The endpoints of the sitemap. If one file is too small for all addresses, it lists the others. */
export const sitemapEndpoints: readonly Endpoint[] = [
  {
    path: sitemapPath,
    ask: ({ origin }) => ({
      ...about(sitemapPath, origin),
      parts: (reader) => reader.stream((view) => sitemap(view, origin)),
    }),
  },
  {
    path: '/sitemap/{file}',
    ask: (request) => {
      const file = parseFile(request);
      const { origin } = request;
      return {
        ...about(`/sitemap/${file}.xml`, origin),
        parts: (reader) => reader.stream((view) => sitemapFile(view, file, origin)),
      };
    },
  },
];

/** Allows robots everything but comparisons, whose number is endless. */
export const robotsEndpoint: Endpoint = {
  path: '/robots.txt',
  ask: ({ origin }) => ({
    key: `/robots.txt ${origin}`,
    origin,
    mediaType: 'text/plain; charset=utf-8',
    source: 'catalogue',
    size: 'small',
    async *parts() {
      yield `User-agent: *\nDisallow: ${comparePath}\nSitemap: ${origin}${sitemapPath}\n`;
    },
  }),
};

function about(path: string, origin: string) {
  return {
    key: `${path} ${origin}`,
    origin,
    mediaType: xmlMediaType,
    source: 'catalogue',
    size: 'large',
  } as const;
}

function parseFile({ params }: EndpointRequest): number {
  const file = params['file'] ?? '';
  const [, number] = /^([1-9][0-9]{0,5})\.xml$/.exec(file) ?? [];
  if (number !== undefined) return Number(number);
  throw new AppError('not_found', `there is no sitemap ${quote(file)}`, { kind: 'unknown-path' });
}

async function* sitemap(view: MetricsView, origin: string): AsyncGenerator<string> {
  const { lists, count } = await loadAddresses(view);
  const fileCount = Math.ceil(count / maxAddresses);
  if (fileCount === 1) return yield* urlSet(view, { lists, file: 1, origin });
  const files = Array.from({ length: fileCount }, (_, index) => `${origin}/sitemap/${index + 1}.xml`);
  const items = files.map((url) => `<sitemap><loc>${url}</loc></sitemap>\n`);
  yield `${declaration}<sitemapindex ${namespace}>\n${items.join('')}</sitemapindex>\n`;
}

async function* sitemapFile(
  view: MetricsView,
  file: number,
  origin: string,
): AsyncGenerator<string | Redirect> {
  const { lists, count } = await loadAddresses(view);
  if ((file - 1) * maxAddresses >= count) yield new Redirect(sitemapPath);
  else yield* urlSet(view, { lists, file, origin });
}

/** The addresses of the lists: that of all plugins, and one for each software with plugins; and the number of these and of all plugins. */
async function loadAddresses(view: MetricsView) {
  const { software, pluginCount } = totalsOf(await view.listSoftwareNow());
  const lists = [homePath, ...software.map(({ url }) => softwarePath(url))];
  const globalCount = software.reduce((sum, one) => sum + one.globalCount, 0);
  return { lists, count: lists.length + pluginCount + globalCount };
}

async function* urlSet(
  view: MetricsView,
  {
    lists,
    file,
    origin,
  }: { readonly lists: readonly string[]; readonly file: number; readonly origin: string },
): AsyncGenerator<string> {
  const start = (file - 1) * maxAddresses;
  const shown = lists.slice(start, start + maxAddresses);
  yield `${declaration}<urlset ${namespace}>\n${shown.map((path) => addressOf(origin + path)).join('')}`;
  let left = maxAddresses - shown.length;
  let skip = Math.max(0, start - lists.length);
  for (let after: PluginKey | undefined, isMore = true; isMore && left > 0; ) {
    const limit = Math.min(left, addressesPerPart);
    const request = { text: '', find: 'part', sort: 'id', descending: false, limit, after, skip } as const;
    const { plugins, next } = await view.findPlugins(request);
    if (plugins.length > 0) yield plugins.map((plugin) => addressOf(origin + pluginPath(plugin))).join('');
    left -= plugins.length;
    skip = 0;
    after = next;
    isMore = next !== undefined;
  }
  yield '</urlset>\n';
}

function addressOf(url: string): string {
  return `<url><loc>${url}</loc></url>\n`;
}
