/** Query parameters of pages, read: blank ones, as forms send them, count as left out. */
import type { EndpointRequest } from '../../http/endpoint.ts';
import { malformedQuery } from '../query-parameter.ts';

/** The longest text to search for: as long as a name. */
export const maxSearchLength = 200;

/**
 * A parameter without white space around it; undefined where it is left out or blank.
 * @throws AppError `invalid` for one that is given more than once.
 */
export function readText({ searchParams }: EndpointRequest, name: string): string | undefined {
  const value = searchParams[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw malformedQuery(name, 'one text', value);
  const text = value.trim();
  return text === '' ? undefined : text;
}

/**
 * One of several words; `fallback` where it is left out.
 * @throws AppError `invalid` for another word.
 */
export function readChoice<Word extends string, Fallback extends Word | undefined>(
  request: EndpointRequest,
  name: string,
  { words, fallback }: { readonly words: readonly Word[]; readonly fallback: Fallback },
): Word | Fallback {
  const text = readText(request, name);
  if (text === undefined) return fallback;
  const word = words.find((each) => each === text);
  if (word === undefined) throw malformedQuery(name, `one of ${words.join(', ')}`, text);
  return word;
}

/** The number of a page from 1 on. @throws AppError `invalid` for anything but up to nine digits. */
export function readPageNumber(request: EndpointRequest): number {
  const text = readText(request, 'page') ?? '1';
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw malformedQuery('page', 'a number from 1 on', text);
  return Number(text);
}

/** A text to search for. @throws AppError `invalid` for more than {@link maxSearchLength} characters. */
export function readSearch(request: EndpointRequest): string {
  const text = readText(request, 'q') ?? '';
  if (text.length > maxSearchLength)
    throw malformedQuery('q', `a text of at most ${maxSearchLength} characters`, text);
  return text;
}

/** The query as it was given, with its question mark: for redirects. */
export function queryText({ searchParams }: EndpointRequest): string {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(searchParams))
    for (const value of typeof given === 'string' ? [given] : (given ?? [])) query.append(name, value);
  return query.size === 0 ? '' : `?${query}`;
}
