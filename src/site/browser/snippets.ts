/** Code snippets that show a chart on other sites. All names are escaped. */
import { type ChartName, chartNamesText } from '../../model/catalogue.ts';
import {
  type ChartState,
  chartFields,
  fieldsInUse,
  hasHistoryForm,
  linesFields,
  linesInUse,
} from '../state/chart-state.ts';
import { type CompareQuery, compareAddress } from '../state/compare-query.ts';
import { write } from '../state/fields.ts';
import { pageAddress } from '../state/page-state.ts';
import {
  badgeAddress,
  chartPictureAddress,
  linesPictureAddress,
  overviewPictureAddress,
  type PictureExtension,
  type PictureLook,
} from '../state/pictures.ts';

/**
 * The subject to embed: one chart or the sum of several, with the form of their data; servers and players of
 * a plugin; or a comparison.
 */
export type EmbedSubject =
  | { readonly kind: 'chart'; readonly charts: readonly ChartName[]; readonly form: string }
  | { readonly kind: 'overview'; readonly pluginId: number }
  | ({ readonly kind: 'lines' } & Pick<CompareQuery, 'charts' | 'mode' | 'axis'>);

/** Everything that is chosen in the dialog. */
export interface EmbedChoice extends ChartState, Pick<PictureLook, 'theme' | 'width' | 'height'> {
  /** URL of the server, such as `https://metrics.example.org`. */
  readonly server: string;
  /** Path of the page with the button. */
  readonly pagePath: string;
  readonly subject: EmbedSubject;
  readonly title: string;
  /** Label of a badge; empty for the default label. */
  readonly label: string;
}

/** One way to embed. */
export interface Snippet {
  readonly name: string;
  /** Typical use, as a hint for readers. */
  readonly hint: string;
  readonly text: string;
  /** URL of the picture it shows, or of a similar one. */
  readonly previewUrl: string;
  /** Names of the fields of the dialog that have an effect; the others are hidden. */
  readonly fields: readonly string[];
}

/** True for charts that are added up. */
export function isSum(subject: EmbedSubject): boolean {
  if (subject.kind === 'lines') return subject.mode === 'sum';
  return subject.kind === 'chart' && subject.charts.length > 1;
}

/** Height of the buttons below the drawing of an element, in pixels. */
const toolbarHeight = 40;

/** True for a URL that only this computer can reach. */
export function isOfThisComputer(server: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(server)?.hostname ?? '');
}

/** Returns all snippets for a choice. */
export function snippetsFor(choice: EmbedChoice): readonly Snippet[] {
  const { subject, theme, width, height } = choice;
  const [svg, png] = [pictureUrl(choice, 'svg'), pictureUrl(choice, 'png')];
  const [title, link] = [escapeHtml(choice.title), escapeHtml(pageUrl(choice))];
  const [light, dark, chosen] = (['light', 'dark', theme] as const).map((theme) =>
    escapeHtml(pictureUrl({ ...choice, theme }, 'svg')),
  );
  const picture =
    theme === 'auto'
      ? `<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="${dark}">\n  <img alt="${title}" src="${light}">\n</picture>`
      : `<img alt="${title}" src="${chosen}">`;
  const fields = ['theme', 'size', ...timeFields(choice)];
  const snippets = [
    {
      name: 'Markdown',
      hint: theme === 'auto' ? "GitHub and others: follows the reader's theme" : 'GitHub and others',
      text: `<a href="${link}">\n${picture}\n</a>`,
    },
    { name: 'Markdown image', hint: 'Markdown without HTML', text: markdownImage(choice, svg) },
    {
      name: 'HTML',
      hint: 'Any page; no script',
      text: `<a href="${link}"><img src="${escapeHtml(svg)}" width="${width}" height="${height}" alt="${title}" loading="lazy"></a>`,
    },
    {
      name: 'BBCode',
      hint: 'Forums such as SpigotMC',
      text: `[url=${pageUrl(choice)}][img]${png}[/img][/url]`,
      previewUrl: png,
    },
    ...(subject.kind === 'overview'
      ? []
      : [
          {
            name: 'Tag',
            hint: 'Your own site: a chart that people can read point by point',
            text: `<script type="module" src="${escapeHtml(choice.server)}/embed.js"></script>\n<plugin-chart${tagAttributes(choice, subject)}></plugin-chart>`,
          },
        ]),
    ...badgeSnippets(choice),
    { name: 'URL', hint: 'The picture itself, as SVG', text: svg },
    { name: 'PNG', hint: 'The picture itself, where SVG is not allowed', text: png, previewUrl: png },
  ];
  return snippets.map((snippet) => ({ previewUrl: svg, fields, ...snippet }));
}

/** Returns the URL of the page in the chosen state, which pictures link to. */
function pageUrl({ server, pagePath, subject, ...shown }: EmbedChoice): string {
  if (subject.kind === 'lines') return server + compareAddress({ ...subject, window: shown.window });
  const isChart = subject.kind === 'chart';
  const hasView = isChart && hasHistoryForm(subject.form);
  // A page has its ladder beside its charts.
  const view = hasView && shown.view !== 'ladder' ? shown.view : 'now';
  const page = server + pageAddress(pagePath, { ...shown, view, filters: new Map(), atLeast: undefined });
  return isChart ? `${page}#${subject.charts[0]?.chartId}` : page;
}

/** Returns the URL of a picture. */
function pictureUrl({ server, subject, ...shown }: EmbedChoice, extension: PictureExtension): string {
  const { window, previous, theme, width, height } = shown;
  const look = { theme, width, height };
  switch (subject.kind) {
    case 'chart':
      return server + chartPictureAddress(subject.charts, extension, { ...shown, form: subject.form, look });
    case 'overview':
      return server + overviewPictureAddress(subject.pluginId, extension, { window, previous, look });
    case 'lines':
      return server + linesPictureAddress(extension, { ...subject, window, look });
  }
}

function timeFields({ subject, ...shown }: EmbedChoice): readonly string[] {
  if (subject.kind === 'lines') return ['range'];
  if (subject.kind === 'overview') return ['range', 'previous'];
  const { window, unit, group, previous } = fieldsInUse(shown, subject.form);
  return [
    ...(window === undefined ? [] : ['range']),
    ...(hasHistoryForm(subject.form) ? ['view'] : []),
    ...(unit === undefined ? [] : ['unit']),
    ...(group === undefined ? [] : ['group']),
    ...(previous === undefined || isSum(subject) ? [] : ['previous']),
  ];
}

function tagAttributes(
  { theme, height, ...shown }: EmbedChoice,
  subject: Exclude<EmbedSubject, { kind: 'overview' }>,
): string {
  const charts =
    subject.kind === 'lines'
      ? write(linesFields, linesInUse({ ...subject, window: shown.window }))
      : {
          ...sourceOf(subject),
          ...write(chartFields, fieldsInUse(shown, subject.form)),
        };
  const attributes = {
    ...charts,
    theme: theme === 'transparent' ? 'auto' : theme,
    ...(height === 300 ? {} : { height: height + toolbarHeight }),
  };
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join('');
}

function sourceOf({ charts }: Extract<EmbedSubject, { kind: 'chart' }>) {
  const [first, ...others] = charts;
  if (first === undefined || others.length > 0) return { charts: chartNamesText(charts), mode: 'sum' };
  return { plugin: first.pluginId, chart: first.chartId };
}

/** Returns the snippets with the badge of a chart or of a sum. */
function badgeSnippets(choice: EmbedChoice) {
  const { subject, label } = choice;
  if (subject.kind === 'overview' || (subject.kind === 'lines' ? !isSum(subject) : subject.form === 'other'))
    return [];
  const url = choice.server + badgeAddress(subject.charts, { isSum: isSum(subject), label: label.trim() });
  const text = markdownImage(choice, url);
  return [
    {
      name: 'Badge',
      hint: 'Markdown: the latest value, or the largest share',
      text,
      previewUrl: url,
      fields: ['label'],
    },
  ];
}

function markdownImage(choice: EmbedChoice, url: string): string {
  // CommonMark allows a backslash before any ASCII punctuation (2.4).
  const alt = choice.title.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  return `[![${alt}](${inMarkdown(url)})](${inMarkdown(pageUrl(choice))})`;
}

/** Escapes a URL for parentheses. */
function inMarkdown(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29');
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
