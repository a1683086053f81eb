/** Follows redirects within one host. */
import { AppError, quote } from '../../model/app-error.ts';

/**
 * Resolves the target of a redirect.
 * @throws AppError `invalid` for another host or port, and from https to http.
 */
export function followRedirect(from: string, location: string | null): string {
  if (location === null || !URL.canParse(location, from)) throw refused('its redirect has no valid Location');
  const [before, after] = [new URL(from), new URL(location, from)];
  const isSame = before.origin === after.origin;
  const isUpgrade = before.hostname === after.hostname && isPlain(before) && isSecure(after);
  if ((!isSame && !isUpgrade) || after.username !== '' || after.password !== '')
    throw refused(`it redirects to ${quote(after.host)}, and redirects to another host are refused`);
  return after.href;
}

function isPlain({ protocol, port }: URL): boolean {
  return protocol === 'http:' && port === '';
}

function isSecure({ protocol, port }: URL): boolean {
  return protocol === 'https:' && port === '';
}

function refused(message: string): AppError {
  return new AppError('invalid', message);
}
