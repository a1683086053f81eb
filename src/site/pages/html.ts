/** Helpers for pages: text, attributes, pictures. */
import { html } from 'ghtml';
import { formatDateTime, formatExact, formatShare } from '../../draw/format.ts';
import type { Owner } from '../../model/catalogue.ts';
import { maxSearchLength } from '../../model/parameter.ts';
import { ownerPath, type QueryParameters, softwarePath } from '../address/paths.ts';

/** Renders a name, isolated so that right-to-left text does not reorder its surroundings. */
export function nameHtml(text: string): string {
  return html`<bdi>${text}</bdi>`;
}

/** Renders the heading of a page with a name in full, smaller if it is long. */
export function heading(text: string): string {
  return html`<h1!${text.length > maxLargeLength ? ' class="long"' : ''}>!${nameHtml(text)}</h1>
`;
}

const maxLargeLength = 60;

/** Renders a time; the script converts it to the time zone of the reader. */
export function timeTag(timestamp: number, format = formatDateTime): string {
  return html`<time datetime="${new Date(timestamp).toISOString()}">${format(timestamp)}</time>`;
}

/** Renders the time of the newest number behind other words; the script marks an old one. Empty for none. */
export function newestNote(timestamp: number | null): string {
  return timestamp === null ? '' : html` · <span data-age>!${timeTag(timestamp)}</span>`;
}

/** Renders a link to the list of a software. @param words before its name */
export function softwareLink(
  { name, url }: { readonly name: string; readonly url: string },
  words = '',
): string {
  return html`<a href="${softwarePath(url)}">${words}!${nameHtml(name)}</a>`;
}

/** Renders a link to the list of an owner. */
export function ownerLink({ id, name }: Owner): string {
  return html`<a href="${ownerPath(id)}">!${nameHtml(name)}</a>`;
}

/** Renders attributes of an element. */
export function renderAttributes(attributes: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(attributes).map(([key, value]) => html` ${key}="${String(value)}"`);
}

/** Size of a picture, and the widest window for which it is used; the last size has no limit. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly maxWidth?: number;
}

/** Renders a picture that adapts its size to the window. */
export function renderPicture(
  sizes: readonly PictureSize[],
  addressOf: (size: PictureSize) => string,
  { alt, isLazy = false }: { readonly alt: string; readonly isLazy?: boolean },
): string {
  const tags = sizes.map((size) => {
    const { width, height, maxWidth } = size;
    const file = html`"${addressOf(size)}" width="${width}" height="${height}"`;
    return maxWidth === undefined
      ? html`<img src=!${file} alt="${alt}"!${isLazy ? ' loading="lazy"' : ''}>`
      : html`<source media="(max-width: ${maxWidth}px)" srcset=!${file}>`;
  });
  return html`<picture>!${tags}</picture>`;
}

/** A number in full; a dash for undefined. */
export function formatCount(count: number | undefined): string {
  return count === undefined ? '–' : formatExact(count).replace('-', '−');
}

/** Formats a number with its noun: 1 plugin, 2 plugins. */
export function countWords(count: number, singular: string, plural?: string): string {
  return `${formatCount(count)} ${nounOf(count, singular, plural)}`;
}

/** Returns the noun of a number that stands apart. */
export function nounOf(count: number, singular: string, plural = `${singular}s`): string {
  return count === 1 ? singular : plural;
}

/** Explains the changes over some days. */
export const changeNote =
  '7 days, 28 days: the mean of the last whole days, compared with that of as many days before.';

/** Formats a change: +3.2%, −1%, ±0%; a dash where it is not known. */
export function changeWords(share: number | null | undefined): string {
  if (share == null) return '–';
  if (Math.abs(share) < 0.0005) return '±0%';
  return `${share < 0 ? '−' : '+'}${formatShare(Math.abs(share))}`;
}

/** A change as words, an arrow and a colour; empty for none. */
export function chip(change: number | null, span = ''): string {
  if (change === null) return '';
  const words = changeWords(change);
  const [way, arrow] = words.startsWith('±') ? ['', ''] : change > 0 ? ['up', '▲'] : ['down', '▼'];
  return html`<span class="chip ${way}"><b><span aria-hidden="true">${arrow}</span> ${words}</b> ${span}</span>`;
}

/** A search for plugins. */
interface Search {
  /** Query parameter. */
  readonly name: string;
  readonly value: string;
  readonly label: string;
  /** Id of the list that the script updates while a reader types. */
  readonly list: string;
  /** HTML before the field, and between the field and the button. */
  readonly before?: string;
  readonly more?: string;
}

/** Renders a form that searches for plugins. */
export function renderSearch(
  action: string,
  { name, value, label, list, before = '', more = '' }: Search,
): string {
  return html`<form class="search" action="${action}" data-list="${list}">
!${before}<input class="field" type="search" name="${name}" value="${value}" maxlength="${maxSearchLength}" placeholder="Plugin or owner" aria-label="${label}" autocomplete="off">
!${more}<button class="button">Search</button>
</form>
`;
}

/** Renders hidden inputs for the parameters that a form keeps; undefined ones are omitted. */
export function renderHiddenInputs(parameters: QueryParameters): string {
  return Object.entries(parameters)
    .flatMap(([name, values = []]) =>
      [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
    )
    .join('');
}
