// The parameters of the site, which no document lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parametersOfSite } from '../../compare/requests/parameters.ts';
import type { Query } from '../../src/model/parameter.ts';
import { createSite } from '../../src/site/site.ts';
import { compareFields } from '../../src/site/state/compare-query.ts';
import { parse } from '../../src/site/state/fields.ts';
import { csvFields, pageFields } from '../../src/site/state/page-state.ts';
import { badgeFields, chartPictureFields, lookFields } from '../../src/site/state/pictures.ts';

test('every parameter of pages, pictures, badges and CSV files is compared', () => {
  const read = new Set<string>();
  const query: Query = new Proxy({}, { get: (_, name) => void read.add(String(name)) });
  for (const fields of [
    badgeFields,
    chartPictureFields,
    compareFields,
    csvFields,
    lookFields.png,
    pageFields,
  ])
    parse<object>(fields, query);
  const compared = createSite().endpoints.flatMap(({ path }) => parametersOfSite(path));
  assert.deepEqual([...read.difference(new Set(compared.map(({ name }) => name)))], []);
  assert.ok(read.size > 15);
});
