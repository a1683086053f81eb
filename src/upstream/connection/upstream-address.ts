/** Parses the address of another server of the interface. */
import { AppError } from '../../model/app-error.ts';

/**
 * Parses `https://HOST`, optionally with a port and a path before `/api/v1`.
 * @returns the address without a slash at its end.
 * @throws AppError `invalid` with the rule. The message does not repeat the text, which may contain credentials.
 */
export function parseUpstreamAddress(text: string): string {
  const example = 'such as https://example.org';
  if (text.includes('@')) throw new AppError('invalid', `it must not hold credentials, ${example}`);
  if (!/^https?:\/\//i.test(text))
    throw new AppError('invalid', `it must begin with http:// or https://, ${example}`);
  if (!URL.canParse(text)) throw new AppError('invalid', `it must be a URL, ${example}`);
  const { origin, pathname, search, hash } = new URL(text);
  if (search !== '' || hash !== '' || /[?#]/.test(text))
    throw new AppError('invalid', `it must not have a query or a fragment, ${example}`);
  const path = pathname.replace(/\/+$/, '');
  if (/\/api(\/v1)?$/.test(path))
    throw new AppError('invalid', `it must be the part of the URL before /api/v1, ${example}`);
  return origin + path;
}
