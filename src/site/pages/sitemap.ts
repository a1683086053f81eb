/** `/sitemap.xml`: the addresses of all plugins for search engines, and `/robots.txt`, which names it. */

import type { Catalogue } from '../../directory/catalogue.ts';
import type { Directories } from '../../directory/directories.ts';
import { type Endpoint, type EndpointRequest, Redirect } from '../../http/endpoint.ts';
import { AppError, quote } from '../../model/app-error.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { comparePath, homePath, pluginPath, softwarePath } from '../address/paths.ts';

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
export function sitemapEndpoints(directories: Directories): readonly Endpoint[] {
  const read = (reader: MetricsReader) => reader.read((view) => directories.loadCatalogue(view));
  return [
    {
      path: sitemapPath,
      ask: ({ origin }) => ({
        ...about(sitemapPath, origin),
        async *parts(reader) {
          const catalogue = await read(reader);
          const fileCount = Math.ceil(addressCount(catalogue) / maxAddresses);
          if (fileCount === 1) return yield* urlSet(catalogue, { file: 1, origin });
          const files = Array.from({ length: fileCount }, (_, index) => `${origin}/sitemap/${index + 1}.xml`);
          const items = files.map((url) => `<sitemap><loc>${url}</loc></sitemap>\n`);
          yield `${declaration}<sitemapindex ${namespace}>\n${items.join('')}</sitemapindex>\n`;
        },
      }),
    },
    {
      path: '/sitemap/{file}',
      ask: (request) => {
        const file = parseFile(request);
        const { origin } = request;
        return {
          ...about(`/sitemap/${file}.xml`, origin),
          async *parts(reader) {
            const catalogue = await read(reader);
            if ((file - 1) * maxAddresses >= addressCount(catalogue)) yield new Redirect(sitemapPath);
            else yield* urlSet(catalogue, { file, origin });
          },
        };
      },
    },
  ];
}

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

/** One for the list of all plugins, one for each software, and one for each plugin. */
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
