/** The coding of text that comes from outside. */
import { isUtf8 } from 'node:buffer';
import { AppError } from '../model/app-error.ts';

/**
 * Refuses bytes that are not UTF-8: decoded, they would become other text without a word.
 * @param name what they are called in the message.
 * @throws AppError `invalid`.
 */
export function checkUtf8(bytes: Uint8Array, name: string): void {
  if (!isUtf8(bytes)) throw new AppError('invalid', `${name} is not valid UTF-8`);
}
