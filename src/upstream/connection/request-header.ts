/** Parses a header that a source asks for, such as one with a token. Its value is a secret: no message repeats it. */
import { AppError } from '../../model/app-error.ts';

/** A header of every request to a source. */
export interface RequestHeader {
  readonly name: string;
  readonly value: string;
}

/** Headers of the connection, the body and the cache, and those that name the program and what it takes. */
const ownNames =
  /^(?:accept|accept-encoding|connection|content-.*|expect|host|if-.*|keep-alive|range|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/**
 * Parses `NAME: VALUE`. Beyond ASCII, servers differ in how they read a value.
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
