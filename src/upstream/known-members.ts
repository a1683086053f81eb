/** Removes members from JSON text that the interface does not have. */
import { JsonWalk, jsonString } from '../json/json-walk.ts';
import type { Shape } from '../model/shape.ts';

/**
 * Removes the members that a schema does not name; everything else stays as it is.
 * @throws AppError `invalid` for text that is not JSON.
 */
export function knownMembers({ properties, prefixItems = [], items }: Shape, json: Uint8Array): string {
  const walk = new JsonWalk(json);
  const kind = walk.kind();
  const parts: string[] = [];
  if (kind === 'object' && properties !== undefined) {
    walk.object((name) => {
      const text = walk.text();
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (shape !== undefined) parts.push(`${JSON.stringify(name)}:${knownMembers(shape, text)}`);
    });
    walk.end();
    return `{${parts.join()}}`;
  }
  if (kind === 'array' && items !== undefined) {
    walk.array((index) => {
      const text = walk.text();
      const shape = prefixItems[index] ?? items;
      parts.push(shape === false ? jsonString(text) : knownMembers(shape, text));
    });
    walk.end();
    return `[${parts.join()}]`;
  }
  const text = walk.text();
  walk.end();
  return jsonString(text);
}
