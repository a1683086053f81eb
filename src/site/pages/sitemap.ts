/** `/sitemap.xml`: the addresses of all plugins for search engines, and `/robots.txt`, which leads them there. */

import { type Endpoint, type EndpointRequest, Redirect } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { Catalogue } from '../directory/catalogue.ts';
import { loadOnce } from '../load-once.ts';
import { comparePath, homePath, pluginPath, softwarePath } from '../paths.ts';

/**
 * How many addresses a file has. It may have 50,000 and 50 MiB (sitemaps.org); an address takes up to 2.5 KB, as names of
 * emoji are long when they are percent-encoded.
 */
const maxAddresses = 20_000;

/** How many addresses are made in one go. */
const addressesPerPart = 256;

const sitemapPath = '/sitemap.xml';
const xmlMediaType = 'application/xml; charset=utf-8';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

const loadDirectory = loadOnce(() => import('../directory/read-directory.ts'));

/** All addresses, or where they are too many for one file, the addresses of the files. */
export const sitemapEndpoint: Endpoint = {
  path: sitemapPath,
  ask: ({ origin }) => ({
    ...about(sitemapPath, origin),
    async *readParts(reader) {
      const catalogue = await readCatalogue(reader);
      const fileCount = Math.ceil(addressCount(catalogue) / maxAddresses);
      if (fileCount === 1) return yield* urlSet(catalogue, { file: 1, origin });
      const files = Array.from({ length: fileCount }, (_, index) => `${origin}/sitemap/${index + 1}.xml`);
      const items = files.map((url) => `<sitemap><loc>${url}</loc></sitemap>\n`);
      yield `${declaration}<sitemapindex ${namespace}>\n${items.join('')}</sitemapindex>\n`;
    },
  }),
};

/** One of several files. */
export const sitemapFileEndpoint: Endpoint = {
  path: '/sitemap/{file}',
  ask: (request) => {
    const file = parseFile(request);
    const { origin } = request;
    return {
      ...about(`/sitemap/${file}.xml`, origin),
      async *readParts(reader) {
        const catalogue = await readCatalogue(reader);
        if ((file - 1) * maxAddresses >= addressCount(catalogue)) yield new Redirect(sitemapPath);
        else yield* urlSet(catalogue, { file, origin });
      },
    };
  },
};

/** What robots may read: everything but comparisons, of which there is no end. */
export const robotsEndpoint: Endpoint = {
  path: '/robots.txt',
  ask: ({ origin }) => ({
    key: `/robots.txt ${origin}`,
    origin,
    mediaType: 'text/plain; charset=utf-8',
    source: 'catalogue',
    isLarge: false,
    read: async () => `User-agent: *\nDisallow: ${comparePath}\nSitemap: ${origin}${sitemapPath}\n`,
  }),
};

function about(path: string, origin: string) {
  return {
    key: `${path} ${origin}`,
    origin,
    mediaType: xmlMediaType,
    source: 'catalogue',
    isLarge: true,
  } as const;
}

function parseFile({ params }: EndpointRequest): number {
  const file = params['file'] ?? '';
  const [, number] = /^([1-9][0-9]{0,5})\.xml$/.exec(file) ?? [];
  if (number !== undefined) return Number(number);
  throw new AppError('not_found', `there is no sitemap ${quote(file)}`, { kind: 'unknown-path' });
}

async function readCatalogue(reader: MetricsReader): Promise<Catalogue> {
  const { readPluginCatalogue } = await loadDirectory();
  return readPluginCatalogue(reader);
}

/** The list of all plugins, those of each software, and each plugin. */
function addressCount(catalogue: Catalogue): number {
  return 1 + catalogue.listSoftware().length + catalogue.entries.length;
}

function* urlSet(
  catalogue: Catalogue,
  { file, origin }: { readonly file: number; readonly origin: string },
): Generator<string> {
  const lists = [homePath, ...catalogue.listSoftware().map(({ url }) => softwarePath(url))];
  const end = Math.min(file * maxAddresses, addressCount(catalogue));
  yield `${declaration}<urlset ${namespace}>\n`;
  for (let start = (file - 1) * maxAddresses; start < end; start += addressesPerPart) {
    let part = '';
    for (let at = start; at < Math.min(start + addressesPerPart, end); at++) {
      const plugin = catalogue.entries[at - lists.length];
      const path = lists[at] ?? (plugin === undefined ? homePath : pluginPath(plugin));
      part += `<url><loc>${origin}${path}</loc></url>\n`;
    }
    yield part;
  }
  yield '</urlset>\n';
}
