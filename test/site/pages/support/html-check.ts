/**
 * A strict parser for the HTML of the pages; it accepts less than HTML allows, so that nothing slips through.
 */
import assert from 'node:assert/strict';

/** A tag. */
export interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

const voidElements = new Set(['meta', 'link', 'input', 'img', 'source', 'br']);
const token =
  /<!doctype html>|<\/?[a-z][a-z0-9-]*(?: [a-zA-Z][a-zA-Z:-]*(?:="[^"<>]*")?)*\/?>|<\?xml[^>]*>|[^<>]+/y;
const urlAttributes = new Set(['href', 'src', 'srcset', 'action']);

/**
 * The tags of a page. Throws AssertionError for incomplete markup, such as an attribute without quotes, an
 * unclosed element or a raw `<` or `>`, and for an event handler, an inline style or script, or an external
 * address.
 */
export function checkHtml(html: string, origin: string): Tag[] {
  const tags: Tag[] = [];
  const open: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < html.length) {
    const at = token.lastIndex;
    const [text] = token.exec(html) ?? assert.fail(`not HTML as pages write it: ${html.slice(at, at + 80)}`);
    if (!text.startsWith('<') || text.startsWith('<!')) continue;
    const tag = readTag(text);
    tags.push(tag);
    if (!tag.isEnd) checkTag(tag, origin);
    if (tag.isEnd) assert.equal(open.pop(), tag.name, `</${tag.name}> closes something else`);
    else if (!voidElements.has(tag.name) && !text.endsWith('/>')) open.push(tag.name);
  }
  assert.deepEqual(open, [], 'not closed');
  return tags;
}

/** The page without user-given names: only the names of its tags and attributes. */
export function skeletonOf(tags: readonly Tag[]): string[] {
  return tags.map(
    ({ name, isEnd, attributes }) => `${isEnd ? '/' : ''}${[name, ...attributes.keys()].join(' ')}`,
  );
}

function readTag(text: string): Tag {
  const [, slash = '', name = '', rest = ''] = /^<(\/?)([a-z0-9-]+)(.*?)\/?>$/s.exec(text) ?? [];
  const attributes = [...rest.matchAll(/ ([a-zA-Z:-]+)(?:="([^"]*)")?/g)];
  const names = attributes.map(([, attribute = '']) => attribute);
  assert.equal(new Set(names).size, names.length, `an attribute stands twice: ${text}`);
  return {
    name,
    isEnd: slash !== '',
    attributes: new Map(attributes.map(([, attribute = '', value = '']) => [attribute, decode(value)])),
  };
}

function decode(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

/** True for the link to the page of a release, the only one that may lead elsewhere. */
export function isExternal(attributes: Tag['attributes']): boolean {
  return attributes.get('rel') === 'external nofollow' && /^https?:\/\//.test(attributes.get('href') ?? '');
}

function checkTag({ name, attributes }: Tag, origin: string): void {
  for (const [attribute, value] of attributes) {
    assert.doesNotMatch(attribute, /^(on.*|style|formaction)$/i, `${name} ${attribute}`);
    if (!urlAttributes.has(attribute) || isExternal(attributes)) continue;
    assert.ok(
      /^[/#](?!\/)/.test(value) || value.startsWith(`${origin}/`),
      `${name} leads elsewhere: ${attribute}="${value}"`,
    );
  }
  assert.notEqual(name, 'style');
  if (name === 'script')
    assert.match(attributes.get('src') ?? '', /^(?:\/metrics)?\/(early|site)-[A-Z0-9]{8}\.js$/);
}
