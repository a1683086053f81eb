/** Removes members from JSON text that the interface does not define. */
import { partsOf } from '../json/parse-json.ts';
import type { Shape } from '../model/shape.ts';

/**
 * Removes the members that a schema does not name; the rest of the text is unchanged.
 * @param json valid text without surrounding white space.
 */
export function knownMembers({ properties, prefixItems = [], items }: Shape, json: string): string {
  if (json.startsWith('{') && properties !== undefined) {
    const members = Array.from(partsOf(json), ({ name, text }) => {
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return shape === undefined ? [] : `${JSON.stringify(name)}:${knownMembers(shape, text)}`;
    });
    return `{${members.flat().join()}}`;
  }
  if (json.startsWith('[') && items !== undefined) {
    const elements = Array.from(partsOf(json), ({ text }, index) =>
      knownMembers(prefixItems[index] ?? (items || {}), text),
    );
    return `[${elements.join()}]`;
  }
  return json;
}
