/** The document around the content of every page, and its headers. */
import { html } from 'ghtml';
import type { ResponseBody } from '../../http/endpoint.ts';
import type { Links } from '../../model/links.ts';
import { maxSearchLength } from '../../model/parameter.ts';
import {
  aboutPath,
  comparePath,
  faviconPath,
  homePath,
  overviewPicturePath,
  withQuery,
} from '../address/paths.ts';
import { pageFiles } from '../assets/browser-files.ts';

/** Head of a document. */
interface PageHead {
  /** Subject; the name of the site is appended. */
  readonly title: string;
  /** One sentence for search engines and previews. */
  readonly description: string;
  readonly links: Links;
  /** Canonical path; pages without one are not indexed. */
  readonly canonicalPath?: string;
  /** URLs of the data that the charts need first, loaded in parallel with the script. */
  readonly data?: readonly string[];
  /** Feeds of the page: media type and path. */
  readonly feeds?: readonly (readonly [mediaType: string, path: string])[];
  /** The plugin whose servers and players are the picture of previews. */
  readonly previewOf?: number;
}

/** Name of the site, in titles and in the header. */
export const siteName = 'Plugin metrics';

/** Headers of a page: no inline styles, no inline scripts, nothing from other servers. */
export const pageForm = {
  mediaType: 'text/html; charset=utf-8',
  headers: [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
    'Referrer-Policy',
    'strict-origin-when-cross-origin',
  ],
};

/**
 * Returns the common members of page bodies; `address` is path and query. Previews contain the URL of the
 * server, so it is part of the cache key.
 */
export function pageBody(address: string, { server }: Pick<Links, 'server'>) {
  return {
    ...pageForm,
    key: `${address} ${server}`,
    server,
    source: 'data',
    size: 'small',
  } as const satisfies Partial<ResponseBody>;
}

/** Renders the document. In the HTML of `main`, each `href` and `action` must be a path of this server. */
export function renderPage(head: PageHead, main: string): string {
  const { early, style, script, parts } = pageFiles();
  const { links } = head;
  return links.inHtml(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${head.title === siteName ? siteName : `${head.title} · ${siteName}`}</title>
<meta name="description" content="${head.description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${faviconPath}" type="image/svg+xml">
!${(head.feeds ?? []).map(
    ([type, path]) => html`<link rel="alternate" type="${type}" href="${path}">
`,
  )}!${(head.data ?? []).map(preloadTag)}<script src="${early}"></script>
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
!${parts.map(
    (part) => html`<link rel="modulepreload" media="(scripting: enabled)" href="${part}">
`,
  )}!${previewTags(head)}</head>
<body!${links.isPublic ? html` data-public-url="${links.server}"` : ''}>
<a class="skip" href="#-main">Skip to content</a>
<header class="top">
<a class="brand" href="${homePath}">!${mark}<span>${siteName}</span></a>
<form class="find" role="search" action="${homePath}"><input class="field" type="search" name="q" maxlength="${maxSearchLength}" placeholder="Search plugins and owners" aria-label="Search plugins and owners" autocomplete="off"><kbd aria-hidden="true">/</kbd><button class="button">Search</button></form>
<nav aria-label="Site"><a href="${homePath}">Plugins</a><a href="${comparePath}">Compare</a></nav>
</header>
<main id="-main">
!${main}</main>
<footer class="bottom">
<p>No cookies, no tracking. <span id="-zone">All times are UTC.</span></p>
<nav aria-label="This site"><a href="${aboutPath}">About</a></nav>
!${themeSwitch}</footer>
</body>
</html>
`);
}

/**
 * The theme switch. No input is checked, because the script checks the chosen theme. Without script the
 * switch is hidden.
 */
const themeSwitch = `<fieldset class="theme"><legend class="hush">Theme</legend>${['Auto', 'Light', 'Dark']
  .map((label) => `<label><input type="radio" name="theme" value="${label.toLowerCase()}">${label}</label>`)
  .join('')}</fieldset>
`;

/** Three bars: the favicon in the colour of the text. */
const mark =
  '<svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M1 9h3v6H1zM6.5 5h3v10h-3zM12 1h3v14h-3z"/></svg>';

function preloadTag(path: string): string {
  return html`<link rel="preload" as="fetch" media="(scripting: enabled)" crossorigin href="${path}">
`;
}

/** Size of the preview picture. */
const [width, height] = ['1200', '630'];

function previewTags({ title, description, links, canonicalPath, previewOf }: PageHead): string {
  const { server } = links;
  const url = canonicalPath === undefined ? '<meta name="robots" content="noindex">\n' : '';
  if (server === '') return url;
  return html`!${
    canonicalPath === undefined
      ? url
      : html`<link rel="canonical" href="${server}${canonicalPath}">
<meta property="og:url" content="${server}${canonicalPath}">
`
  }<meta property="og:type" content="website">
<meta property="og:site_name" content="${siteName}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
!${
    previewOf === undefined
      ? ''
      : html`<meta property="og:image" content="${server}${withQuery(overviewPicturePath(previewOf, 'png'), { theme: 'light', width, height, scale: '1' })}">
<meta property="og:image:width" content="${width}">
<meta property="og:image:height" content="${height}">
<meta name="twitter:card" content="summary_large_image">
`
  }`;
}
