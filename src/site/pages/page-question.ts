/** The media type and headers of pages. */
import type { Body } from '../../http/endpoint.ts';

/** The media type of pages. */
export const pageMediaType = 'text/html; charset=utf-8';

/** Headers of every page: no inline style, no inline script, nothing from other servers. */
export const pageHeaders: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  'Referrer-Policy',
  'strict-origin-when-cross-origin',
];

/**
 * The common parts of questions for pages.
 * @param address path and query
 * @param origin used in the links of previews
 */
export function pageQuestion(address: string, origin: string) {
  return {
    key: `${address} ${origin}`,
    origin,
    mediaType: pageMediaType,
    headers: pageHeaders,
    source: 'data',
    size: 'small',
  } as const satisfies Partial<Body>;
}
