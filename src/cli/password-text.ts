/** Text that must not be shown because it may hold a password. */
import { quote } from '../model/app-error.ts';

/**
 * Whether text may be a connection string, or a piece of one: `SCHEME://`, `USER:PASSWORD@HOST`, or `KEYWORD=VALUE` at
 * the start or behind white space, `?`, `&` or `;`.
 */
export function mayHoldPassword(text: string): boolean {
  return /:\/\/|:.*@|(?:^|[\s?&;])\w+\s*=/s.test(text);
}

/** A value for a message: quoted, or not shown at all. */
export function shownValue(text: string): string {
  return mayHoldPassword(text) ? 'a value that is not shown, as it may hold a password' : quote(text);
}

/** An argument as an error may repeat it: of an option its name alone. */
export function shownArgument(argument: string): string {
  const [name = ''] = argument.startsWith('-') ? argument.split('=', 1) : [argument];
  return mayHoldPassword(name) ? '…' : name;
}
