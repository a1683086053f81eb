import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { type CaseSet, loadCases } from '../../conformance/case-files.ts';
import { compileExpectation } from '../../conformance/expectation.ts';
import { describeFixture, FIXTURES } from '../../conformance/fixtures.ts';
import { isList, isObject, type Json } from '../../conformance/json.ts';
import { fill } from '../../conformance/placeholders.ts';
import { parseRequest } from '../../conformance/request.ts';

let set: CaseSet;

before(async () => {
  set = await loadCases();
});

test('every case has requests and an expectation that the runner understands', () => {
  for (const { name, given, request, expect } of set.cases) {
    for (const [key, json] of Object.entries({ ...given, request })) parseRequest(json, `${name}: ${key}`);
    assert.doesNotThrow(() => compileExpectation(expect, set.vocabulary), name);
  }
});

test('every placeholder of a case is one that the runner fills', () => {
  for (const { name, given, request, expect } of set.cases) {
    fill([given, request, expect], (placeholder) => {
      const [answer = ''] = placeholder.split('.header.');
      const isKnown =
        /^(?:prefix|host|times:[0-9]+:.+)$/s.test(placeholder) ||
        describeFixture(placeholder) !== undefined ||
        (placeholder.includes('.header.') && answer in given);
      assert.ok(isKnown, `${name}: {${placeholder}}`);
      return undefined;
    });
  }
});

test('every response that a case compares with is one that it requests', () => {
  for (const { name, given, expect } of set.cases) {
    for (const answer of listReferences(expect)) assert.ok(answer in given, `${name}: ${answer}`);
  }
});

test('every case expects a status, or something of the body or the headers', () => {
  for (const { name, expect } of set.cases)
    assert.ok(isObject(expect) && Object.keys(expect).length > 0, name);
});

test('the README explains every placeholder', async () => {
  const readme = await readFile(new URL('../../conformance/README.md', import.meta.url), 'utf8');
  for (const name of FIXTURES.keys()) assert.ok(readme.includes(`{${name}}`), name);
});

test('no two cases of a subject have the same name', () => {
  const names = set.cases.map(({ subject, name }) => `${subject}: ${name}`);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

function listReferences(json: Json): readonly string[] {
  if (isList(json)) return json.flatMap(listReferences);
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, value]) => {
    const isReference = ['answer', 'sameAs', 'differsFrom', 'sameHeadersAs'].includes(key);
    return isReference && typeof value === 'string' ? [value] : listReferences(value);
  });
}
