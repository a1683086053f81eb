/** How pages go out: their media type and headers. */
import type { Question } from '../../http/endpoint.ts';

/** The media type of pages. */
export const pageMediaType = 'text/html; charset=utf-8';

/** Headers of every page. No inline style, no inline script, nothing from elsewhere. */
export const pageHeaders: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  'Referrer-Policy',
  'strict-origin-when-cross-origin',
];

/**
 * What the questions of all pages have in common.
 * @param address path and query
 * @param origin stands in the links of previews
 */
export function pageQuestion(address: string, origin: string) {
  return {
    key: `${address} ${origin}`,
    origin,
    mediaType: pageMediaType,
    headers: pageHeaders,
    source: 'data',
    workClass: 'large',
  } as const satisfies Partial<Question>;
}
