// Page addresses: for any plugin name, browsers keep the address unchanged, and the server answers it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameSchema } from '../../../src/model/catalogue.ts';
import { pluginPath } from '../../../src/site/address/paths.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { pluginRecord, softwareRecord } from '../../support/records.ts';
import { fc } from '../../support/seed.ts';
import { serveSite } from '../pages/support/site-client.ts';

const legalName = new RegExp(nameSchema.pattern, 'u');
const software = { url: 'bukkit' };
const awkwardNames = [
  ...[
    '.',
    '..',
    '...',
    '/',
    '//',
    '\\',
    '%',
    '%2e',
    '%2E%2e',
    '.%2e',
    '?',
    '#',
    '&',
    ';',
    ':',
    '@',
    '-',
    '~',
  ],
  ...['"><script>alert(1)</script>', "'", '</title>', '</text>', '{{7*7}}', '!', ' ', '+', '=1+1'],
  ...['\u202eright to left', 'مرحبا', '\u2028', '\ufeff', '\u200b', '👩‍👩‍👧‍👦', '𝒳', 'e\u0301', '\ufffd'],
  ...['a'.repeat(200), '🦜'.repeat(200), 'a b/c?d#e%f', '[x](y)', 'index.csv', 'a.csv', '../../etc/passwd'],
];

const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'e', 'E', '\\', '?', '#', '-'), minLength: 1 }),
  fc.constantFrom(...awkwardNames),
);

test('the address of any plugin is the same after a browser parsed it', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      fc.pre(legalName.test(name));
      const path = pluginPath({ id: 7, name, software });
      for (const base of ['http://host/', 'http://host/plugin/a/b/1', 'https://host/x/y?z#w'])
        assert.equal(new URL(path, base).href, `${new URL(base).origin}${path}`);
      assert.match(path, /^\/plugin\/bukkit\/[~A-Za-z0-9._%-]+\/7$/);
    }),
    { numRuns: 2000 },
  );
});

test('every plugin has its page at its address, and redirects do not loop', async () => {
  const names = [...new Set([...awkwardNames, ...fc.sample(anyName, { numRuns: 100, seed: 7 })])].filter(
    (name) => legalName.test(name),
  );
  const site = await serveSite(
    await makeStore([
      softwareRecord(),
      ...names.map((name, index) => {
        const owner = { id: index + 1, name };
        return pluginRecord(index + 1, name, { owner });
      }),
    ]),
  );
  for (const [index, name] of names.entries()) {
    const path = pluginPath({ id: index + 1, name, software });
    assert.equal((await site.get(path)).status, 200, path);
    const { status, headers } = await site.get(`/plugin/${index + 1}`);
    assert.deepEqual([status, headers.get('location')], [308, path]);
    // A name of dots has another in its address. Names that differ in case alone mean the first.
    if (!path.includes(`/${encodeURIComponent(name)}/`)) continue;
    const without = await site.get(path.replace(/\/\d+$/, ''));
    assert.equal(without.status, 302, path);
    const first = Number(without.headers.get('location')?.split('/').at(-1));
    assert.equal(names[first - 1]?.toLowerCase(), name.toLowerCase());
    const owner = await site.get(`/author/${encodeURIComponent(name)}`);
    assert.match(owner.headers.get('location') ?? '', /^\/owner\/\d+$/, path);
  }
});
