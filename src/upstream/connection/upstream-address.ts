/** Parses the address of another server of the interface. */
import { AppError } from '../../model/app-error.ts';

/**
 * Parses `https://HOST`, optionally with a port and with a path before `/api/v1`.
 * @returns the address without a trailing slash.
 * @throws AppError `invalid` with the rule. The message does not repeat the text, which may contain
 * credentials.
 */
export function parseUpstreamAddress(text: string): string {
  const isWhole = /^https?:\/\/[^@?#]+$/i.test(text) && URL.canParse(text);
  const { origin, pathname } = new URL(isWhole ? text : 'http://-/api');
  const path = pathname.replace(/\/+$/, '');
  const page = path.indexOf('/plugin/');
  if (page !== -1) {
    const server = origin + path.slice(0, page);
    throw new AppError(
      'invalid',
      `it must be ${server}, without the page of a plugin, whose id is for --plugin`,
    );
  }
  if (!/\/api(\/v1)?$/.test(path)) return origin + path;
  throw new AppError(
    'invalid',
    'it must be the part of a URL before /api/v1, without credentials, query and fragment, such as https://example.org',
  );
}
