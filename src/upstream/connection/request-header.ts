/**
 * Parses a header that a source requires, such as one with a token. The value is a secret, so no message
 * repeats it.
 */
import { AppError } from '../../model/app-error.ts';

/** A header sent with every request to a source. */
export interface RequestHeader {
  readonly name: string;
  readonly value: string;
}

/**
 * Headers that the program sets itself: those of the connection, body and cache, the user agent, and accepted
 * formats.
 */
const ownNames =
  /^(?:accept|accept-encoding|connection|content-.*|expect|host|if-.*|keep-alive|range|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/**
 * Parses `NAME: VALUE`. Values must be ASCII, because servers disagree on other characters.
 * @throws AppError `invalid` with the rule.
 */
export function parseRequestHeader(text: string): RequestHeader {
  const [, name, value] =
    /^([a-z0-9][\w-]*):[ \t]*([\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/i.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new AppError(
      'invalid',
      'it must be NAME: VALUE on one line, such as Authorization: Bearer TOKEN, with a name of letters, digits and hyphens and a value of printable ASCII',
    );
  if (ownNames.test(name))
    throw new AppError('invalid', `it must not be ${name.toLowerCase()}, which this program or HTTP sets`);
  return { name, value };
}
