/** Follows the links of pages. */
import assert from 'node:assert/strict';
import { checkHtml, isExternal } from './html-check.ts';

/** An answer to a path with its query. */
type Ask = (path: string) => Promise<{
  readonly status: number;
  readonly headers: { readonly get: (name: string) => string | null | undefined };
  readonly body: string;
}>;

/** A site below a path. */
interface Place {
  readonly base: string;
  readonly publicUrl: string;
  readonly ask: Ask;
}

const linkAttributes = ['href', 'src', 'srcset', 'action'];

/**
 * Asserts that every link of some pages, and every address of the public server in them, begins with the path
 * and leads to something. Redirects are followed once, and must stay below the path too.
 * @returns the number of links.
 */
export async function followLinks(
  { base, publicUrl, ask }: Place,
  pages: readonly string[],
): Promise<number> {
  const followed = new Set<string>();
  for (const page of pages) {
    const { body } = await ask(page);
    for (const { attributes } of checkHtml(body, publicUrl)) {
      if (isExternal(attributes)) continue;
      for (const [name, value] of attributes) {
        const isPublic = value.startsWith('https://');
        if (!isPublic && !(linkAttributes.includes(name) && !value.startsWith('#'))) continue;
        if (isPublic)
          assert.ok(value === publicUrl || value.startsWith(`${publicUrl}/`), `${page}: ${value}`);
        const { pathname, search } = new URL(value, publicUrl);
        assert.ok(`${pathname}/`.startsWith(`${base}/`), `${page} leads out of ${base}: ${value}`);
        followed.add(pathname + search);
      }
    }
  }
  for (const path of followed) {
    const { status, headers } = await ask(path);
    const location = headers.get('location');
    if (location == null) assert.equal(status, 200, path);
    else {
      // nginx adds a slash to the path itself, and names its host.
      const { pathname, search } = new URL(location, publicUrl);
      assert.ok(pathname.startsWith(`${base}/`), `${path} is redirected to ${location}`);
      assert.equal((await ask(pathname + search)).status, 200, location);
    }
  }
  return followed.size;
}

/** A page of each kind. The last is there no more. */
export const pagesOfEachKind: readonly string[] = [
  '/',
  '/?q=chest&sort=name',
  '/?page=1&dir=asc',
  '/about',
  '/software/bukkit',
  '/owner/42',
  '/plugin/bukkit/ExamplePlugin/1337?view=history&range=7d',
  '/plugin/bukkit/HarborHomes/2048+2049?view=history&range=7d',
  '/compare?charts=1337:players,1337:servers&hide=1337:players',
  '/compare?charts=1337:os,2048:os&view=now',
  '/compare',
  '/nothing/here',
];
