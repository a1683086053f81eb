/** Feeds of a plugin: `/plugin/{softwareUrl}/{pluginName}/{pluginId}/feed.atom` and `feed.json`. */
import { html } from 'ghtml';
import { type Endpoint, Redirect } from '../../http/endpoint.ts';
import { parsePluginId } from '../../model/catalogue.ts';
import { endOfTimes } from '../../model/iso-time.ts';
import { feedPath, isAddressOf, pluginPath, withQuery } from '../address/paths.ts';
import { type FeedEntry, loadFeed, type PluginFeed, uuidOf } from './load-feed.ts';

/** Both feeds of a plugin. */
export const feedEndpoints: readonly Endpoint[] = [
  feed('atom', 'application/atom+xml', renderAtom),
  feed('json', 'application/feed+json', renderJsonFeed),
];

function feed(
  format: 'atom' | 'json',
  mediaType: string,
  render: (feed: PluginFeed, server: string) => string,
): Endpoint {
  const path = `/plugin/{softwareUrl}/{pluginName}/{pluginId}/feed.${format}`;
  return {
    path,
    ask: ({ params, links: { server } }) => {
      const pluginId = parsePluginId(params['pluginId']);
      return {
        key: `${withQuery(path, params)} ${server}`,
        server,
        mediaType: `${mediaType}; charset=utf-8`,
        source: 'data',
        size: 'large',
        async *parts(reader) {
          const found = await reader.read((view) => loadFeed(view, pluginId));
          const { plugin } = found;
          yield isAddressOf(plugin, params) ? render(found, server) : new Redirect(feedPath(plugin, format));
        },
      };
    },
  };
}

/** Renders Atom 1.0 (RFC 4287). */
function renderAtom({ plugin, entries }: PluginFeed, server: string): string {
  const page = server + pluginPath(plugin);
  const atom = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${uuidOf([plugin.id, 'feed'])}</id>
<title>${plugin.name}</title>
<updated>${isoTime(entries[0]?.updated ?? 0)}</updated>
<author><name>${plugin.owner.name}</name></author>
<link rel="self" type="application/atom+xml" href="${server + feedPath(plugin, 'atom')}"/>
<link rel="alternate" type="text/html" href="${page}"/>
!${entries.map(
    (entry) => html`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<updated>${isoTime(entry.updated)}</updated>
<category term="${entry.kind}"/>
<link rel="alternate" href="${entryUrl(entry, page)}"/>
<summary>${entry.text}</summary>
</entry>
`,
  )}</feed>
`;
  // XML 1.0 forbids these two; names have no other forbidden characters.
  return atom.replace(/[\ufffe\uffff]/g, '\ufffd');
}

/** Renders JSON Feed 1.1 (https://jsonfeed.org/version/1.1). */
function renderJsonFeed({ plugin, entries }: PluginFeed, server: string): string {
  const page = server + pluginPath(plugin);
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: plugin.name,
    home_page_url: page,
    feed_url: server + feedPath(plugin, 'json'),
    authors: [{ name: plugin.owner.name }],
    items: entries.map((entry) => jsonFeedItem(entry, page)),
  });
}

/**
 * Makes an item of a JSON Feed.
 * @param page URL of the page of the plugin; without it, only events have an address.
 */
export function jsonFeedItem(entry: FeedEntry, page: string | undefined) {
  return {
    id: entry.id,
    url: entryUrl(entry, page),
    title: entry.title,
    content_text: entry.text,
    date_published: isoTime(entry.updated),
    date_modified: isoTime(entry.updated),
    tags: [entry.kind],
  };
}

/** Returns the page of an event, or the page of the plugin over the days that an entry is about. */
function entryUrl({ url, kind, from, updated }: FeedEntry, page: string | undefined): string | undefined {
  if (kind === 'event' || page === undefined) return url ?? page;
  return withQuery(page, { from: isoTime(from).slice(0, 10), to: isoTime(updated).slice(0, 10) });
}

/** RFC 3339 has no years beyond 9999. */
function isoTime(time: number): string {
  return new Date(Math.min(time, endOfTimes - 1)).toISOString();
}
