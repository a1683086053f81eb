import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { loadCases } from '../../conformance/case-files.ts';
import { FIXTURES } from '../../conformance/fixtures.ts';
import { isObject } from '../../conformance/json.ts';

test('every case has a name of its own in its subject, and expects something', async () => {
  const { cases } = await loadCases();
  assert.equal(new Set(cases.map(({ subject, name }) => `${subject}: ${name}`)).size, cases.length);
  for (const { name, expect } of cases) assert.ok(isObject(expect) && Object.keys(expect).length > 0, name);
});

test('the README explains every placeholder', async () => {
  const readme = await readFile(new URL('../../conformance/README.md', import.meta.url), 'utf8');
  for (const name of FIXTURES.keys()) assert.ok(readme.includes(`{${name}}`), name);
});
