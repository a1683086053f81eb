/** Snippets to paste elsewhere, which show a chart there. Names of any kind are escaped. */

/** Options of a snippet. */
export interface EmbedChoice {
  /** The origin of the server, such as `https://metrics.example.org`. */
  readonly origin: string;
  /** The page of the chart, which pictures link to. */
  readonly pageUrl: string;
  readonly pluginId: string;
  readonly chartId: string;
  /** The form of the data of the chart: `line`, `pie`, … */
  readonly form: string;
  readonly title: string;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** The range of a line; empty for other charts. */
  readonly range: string;
}

/** One way to embed. */
export interface Snippet {
  readonly name: string;
  /** Its usual place. */
  readonly hint: string;
  readonly text: string;
}

/** Every way to embed a chart. */
export function snippetsFor(choice: EmbedChoice): readonly Snippet[] {
  const { title, pageUrl, theme } = choice;
  const svg = pictureUrl(choice, 'svg');
  const page = escapeHtml(pageUrl);
  const alt = escapeHtml(title);
  const light = escapeHtml(pictureUrl({ ...choice, theme: 'light' }, 'svg'));
  const dark = escapeHtml(pictureUrl({ ...choice, theme: 'dark' }, 'svg'));
  const picture =
    theme === 'auto'
      ? `<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="${dark}">\n  <img alt="${alt}" src="${light}">\n</picture>`
      : `<img alt="${alt}" src="${escapeHtml(svg)}">`;
  const badge = `${choice.origin}/badge/${choice.pluginId}/${encodeId(choice.chartId)}.svg`;
  return [
    {
      name: 'Markdown',
      hint: theme === 'auto' ? "GitHub and others: follows the reader's theme" : 'GitHub and others',
      text: `<a href="${page}">\n${picture}\n</a>`,
    },
    { name: 'Markdown image', hint: 'Markdown without HTML', text: markdownImage(choice, svg) },
    {
      name: 'HTML',
      hint: 'Any page; no script',
      text: `<a href="${page}"><img src="${escapeHtml(svg)}" width="${choice.width}" height="${choice.height}" alt="${alt}" loading="lazy"></a>`,
    },
    {
      name: 'BBCode',
      hint: 'Forums such as SpigotMC',
      text: `[url=${pageUrl}][img]${pictureUrl({ ...choice, theme: theme === 'auto' ? 'light' : theme }, 'png')}[/img][/url]`,
    },
    { name: 'Tag', hint: 'Your own site: a chart that people can read point by point', text: tag(choice) },
    ...(choice.form !== 'other'
      ? [{ name: 'Badge', hint: 'Markdown: the latest value', text: markdownImage(choice, badge) }]
      : []),
    { name: 'URL', hint: 'The picture itself', text: svg },
  ];
}

/** The address of a picture; defaults are left out of the query. */
export function pictureUrl(choice: EmbedChoice, extension: 'svg' | 'png'): string {
  const { origin, pluginId, chartId, theme, width, height, range } = choice;
  const query = new URLSearchParams();
  if (range !== '' && range !== '30d') query.set('range', range);
  if (theme !== 'auto') query.set('theme', theme);
  if (width !== 800) query.set('width', `${width}`);
  if (height !== 300) query.set('height', `${height}`);
  const text = query.toString();
  return `${origin}/embed/${pluginId}/${encodeId(chartId)}.${extension}${text === '' ? '' : `?${text}`}`;
}

/** The height of the buttons below the drawing of an element, in pixels. */
const toolbarHeight = 40;

function tag({ origin, pluginId, chartId, range, theme, height }: EmbedChoice): string {
  const attributes = [
    ['plugin', pluginId],
    ['chart', chartId],
    ...(range === '' ? [] : [['range', range]]),
    ['theme', theme],
    ...(height === 300 ? [] : [['height', `${height + toolbarHeight}`]]),
  ].map(([name, value = '']) => ` ${name}="${escapeHtml(value)}"`);
  return `<script type="module" src="${escapeHtml(origin)}/embed.js"></script>\n<plugin-chart${attributes.join('')}></plugin-chart>`;
}

function markdownImage({ title, pageUrl }: EmbedChoice, url: string): string {
  // All ASCII punctuation may be escaped (CommonMark 2.4).
  const alt = title.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  return `[![${alt}](${url})](${pageUrl})`;
}

function encodeId(id: string): string {
  return encodeURIComponent(id).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
