/** Keeps passwords out of messages. */
import { quote } from '../model/app-error.ts';

/**
 * Finds text that may be a connection string, or a part of one: `SCHEME://`, `USER:PASSWORD@HOST`, or `KEYWORD=VALUE` at the start or
 * after white space, `?`, `&` or `;`.
 */
export function mayHoldPassword(text: string): boolean {
  return /:\/\/|:.*@|(?:^|[\s?&;])\w+\s*=/s.test(text);
}

/** Quotes a value for a message, or hides it if it may hold a password. */
export function shownValue(text: string): string {
  return mayHoldPassword(text) ? 'a value that is not shown, as it may hold a password' : quote(text);
}

/** Shortens an argument for a message: an option to its name, and text that may hold a password to `…`. */
export function shownArgument(argument: string): string {
  const [name = ''] = argument.startsWith('-') ? argument.split('=', 1) : [argument];
  return mayHoldPassword(name) ? '…' : name;
}
