/** Snippets to paste elsewhere, which show a chart there. Names of any kind are escaped. */
import { windowParameters } from '../state/shown-window.ts';
import {
  badgeUrl,
  type EmbedChoice,
  type EmbedTheme,
  embedThemes,
  hasHistoryView,
  isOverTime,
  pictureUrl,
} from './embed-choice.ts';

/** A choice that has an effect on a snippet. */
export type EmbedOption = 'theme' | 'size' | 'range' | 'view' | 'unit' | 'badge';

/** One way to embed. */
export interface Snippet {
  readonly name: string;
  /** Its usual place. */
  readonly hint: string;
  readonly text: string;
  /** The picture that it shows, or one like it. */
  readonly previewUrl: string;
  /** The choices that have an effect; others are not offered. */
  readonly options: readonly EmbedOption[];
  /** The themes that it can have. The first stands in for one that it cannot. */
  readonly themes: readonly EmbedTheme[];
}

/** Every way to embed what is chosen. */
export function snippetsFor(choice: EmbedChoice): readonly Snippet[] {
  const svg = pictureUrl(choice, 'svg');
  const options: readonly EmbedOption[] = ['theme', 'size', ...timeOptions(choice)];
  const drawn = { previewUrl: svg, options, themes: embedThemes };
  const { title, pageUrl, theme } = choice;
  const alt = escapeHtml(title);
  const pngChoice: EmbedChoice = { ...choice, theme: theme === 'auto' ? 'light' : theme };
  const png = pictureUrl(pngChoice, 'png');
  const asPng = { ...drawn, previewUrl: png, themes: embedThemes.filter((each) => each !== 'auto') };
  return [
    {
      name: 'Markdown',
      hint: theme === 'auto' ? "GitHub and others: follows the reader's theme" : 'GitHub and others',
      text: `<a href="${escapeHtml(pageUrl)}">\n${picture(choice)}\n</a>`,
      ...drawn,
    },
    { name: 'Markdown image', hint: 'Markdown without HTML', text: markdownImage(choice, svg), ...drawn },
    {
      name: 'HTML',
      hint: 'Any page; no script',
      text: `<a href="${escapeHtml(pageUrl)}"><img src="${escapeHtml(svg)}" width="${choice.width}" height="${choice.height}" alt="${alt}" loading="lazy"></a>`,
      ...drawn,
    },
    {
      name: 'BBCode',
      hint: 'Forums such as SpigotMC',
      text: `[url=${pageUrl}][img]${png}[/img][/url]`,
      ...asPng,
    },
    ...tagSnippets(choice, svg),
    ...badgeSnippets(choice),
    { name: 'URL', hint: 'The picture itself, as SVG', text: svg, ...drawn },
    { name: 'PNG', hint: 'The picture itself, where SVG is not allowed', text: png, ...asPng },
  ];
}

function timeOptions(choice: EmbedChoice): EmbedOption[] {
  const options: EmbedOption[] = isOverTime(choice) ? ['range'] : [];
  if (hasHistoryView(choice)) options.push('view', ...(choice.view === 'history' ? (['unit'] as const) : []));
  return options;
}

function picture(choice: EmbedChoice): string {
  const alt = escapeHtml(choice.title);
  const [light, dark, chosen] = (['light', 'dark', choice.theme] as const).map((theme) =>
    escapeHtml(pictureUrl({ ...choice, theme }, 'svg')),
  );
  return choice.theme === 'auto'
    ? `<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="${dark}">\n  <img alt="${alt}" src="${light}">\n</picture>`
    : `<img alt="${alt}" src="${chosen}">`;
}

/** The height of the buttons below the drawing of an element, in pixels. */
const toolbarHeight = 40;

function tagSnippets(choice: EmbedChoice, previewUrl: string): Snippet[] {
  const { origin, subject, theme, height, window, view, unit } = choice;
  if (subject.kind !== 'chart') return [];
  const isHistory = hasHistoryView(choice) && view === 'history';
  const times = isOverTime(choice) ? windowParameters(window) : {};
  const attributes = Object.entries({
    plugin: subject.pluginId,
    chart: subject.chartId,
    ...times,
    view: isHistory ? view : undefined,
    unit: isHistory && unit === 'count' ? unit : undefined,
    theme: theme === 'transparent' ? 'auto' : theme,
    height: height === 300 ? undefined : `${height + toolbarHeight}`,
  }).map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`));
  return [
    {
      name: 'Tag',
      hint: 'Your own site: a chart that people can read point by point',
      text: `<script type="module" src="${escapeHtml(origin)}/embed.js"></script>\n<plugin-chart${attributes.join('')}></plugin-chart>`,
      previewUrl,
      options: ['theme', 'size', ...timeOptions(choice)],
      themes: ['auto', 'light', 'dark'],
    },
  ];
}

function badgeSnippets(choice: EmbedChoice): Snippet[] {
  const { subject } = choice;
  if (subject.kind === 'overview') return [];
  if (subject.kind === 'lines' ? subject.mode !== 'sum' : subject.form === 'other') return [];
  const url = badgeUrl(choice, subject);
  const text = markdownImage(choice, url);
  const hint = 'Markdown: the latest value';
  return [{ name: 'Badge', hint, text, previewUrl: url, options: ['badge'], themes: embedThemes }];
}

function markdownImage({ title, pageUrl }: EmbedChoice, url: string): string {
  // All ASCII punctuation may be escaped (CommonMark 2.4).
  const alt = title.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  return `[![${alt}](${inMarkdown(url)})](${inMarkdown(pageUrl)})`;
}

/** An address in parentheses. */
function inMarkdown(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"'\n]/g, (character) => entities[character] ?? '');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
};
