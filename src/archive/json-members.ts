/** The members of a JSON object as raw text, so that order and digits of what they hold are kept. */
import { AppError, quote } from '../model/app-error.ts';

/** The deepest nesting of arrays and objects that a record may have. */
export const maxDepth = 100;

/**
 * The raw text of every member of an object, by name.
 * @param validText a JSON text that has been parsed without an error, and is an object.
 * @throws AppError `invalid` for a name given twice, and for nesting deeper than {@link maxDepth}.
 */
export function readMembers(validText: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | undefined;
  let valueStart = 0;
  const close = (end: number) => {
    if (name === undefined) return;
    if (members.has(name)) throw new AppError('invalid', `the field ${quote(name)} is given twice`);
    members.set(name, validText.slice(valueStart, end).trim());
    name = undefined;
  };
  for (let at = 0; at < validText.length; at++) {
    switch (validText[at]) {
      case '"': {
        const end = stringEnd(validText, at);
        if (depth === 1 && name === undefined) {
          name = String(JSON.parse(validText.slice(at, end)));
          valueStart = validText.indexOf(':', end) + 1;
          at = valueStart - 1;
        } else at = end - 1;
        break;
      }
      case '{':
      case '[':
        depth++;
        if (depth > maxDepth)
          throw new AppError('invalid', `the record is nested deeper than ${maxDepth} levels`);
        break;
      case ',':
        if (depth === 1) close(at);
        break;
      case '}':
      case ']':
        if (depth === 1) close(at);
        depth--;
        break;
    }
  }
  return members;
}

/** The offset behind the string that begins at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
