/** Query parameters of pages. */
import type { EndpointRequest } from '../../http/endpoint.ts';
import { oneOf, readParameter, refuseByThrowing, textUpTo, wholeNumber } from '../query-parameter.ts';

/** The longest text to search for: as long as a name. */
export const maxSearchLength = 200;

/** The last page that may be asked for. */
const maxPage = 999_999_999;

/**
 * One of several words; `fallback` where it is left out.
 * @throws AppError `invalid` for another word.
 */
export function readChoice<Word extends string, Fallback extends Word | undefined>(
  { searchParams }: EndpointRequest,
  name: string,
  { words, fallback }: { readonly words: readonly Word[]; readonly fallback: Fallback },
): Word | Fallback {
  const parameter = oneOf(words);
  return readParameter<Word | Fallback>(searchParams, name, {
    parameter,
    fallback,
    refuse: refuseByThrowing,
  });
}

/** The number of a page, 1 where it is left out. @throws AppError `invalid` for anything but digits. */
export function readPageNumber({ searchParams }: EndpointRequest): number {
  const parameter = wholeNumber(1, maxPage);
  return readParameter(searchParams, 'page', { parameter, fallback: 1, refuse: refuseByThrowing });
}

/**
 * A text without white space around it, blank where it is left out.
 * @throws AppError `invalid` for more than `maxLength` characters.
 */
export function readText(
  { searchParams }: EndpointRequest,
  name: string,
  maxLength: number = maxSearchLength,
): string {
  const parameter = textUpTo(maxLength);
  return readParameter(searchParams, name, { parameter, fallback: '', refuse: refuseByThrowing }).trim();
}
