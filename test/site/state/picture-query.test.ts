// The parameters of pictures say what is shown, and nothing that is the default.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartPictureQuery, linesPictureQuery } from '../../../src/site/state/picture-query.ts';

/** The parameters that are given. */
function given(query: Readonly<Record<string, string | undefined>>): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

test('a line has its range and axis, shares over time have their view and unit, and other charts have nothing', () => {
  const past = { view: 'history', unit: 'count', range: '90d' } as const;
  const whole = { axis: 'whole' } as const;
  assert.deepEqual(given(chartPictureQuery({ form: 'line', ...past, ...whole })), { range: '90d', ...whole });
  assert.deepEqual(given(chartPictureQuery({ form: 'pie', ...past, ...whole })), past);
  assert.deepEqual(given(chartPictureQuery({ form: 'pie', ...past, ...whole, view: 'now' })), {});
  assert.deepEqual(given(chartPictureQuery({ form: 'other', ...past, ...whole })), {});
  const usual = { view: 'history', unit: 'percent', axis: 'linear', range: '30d' } as const;
  assert.deepEqual(given(chartPictureQuery({ form: 'map', ...usual })), { view: 'history' });
});

test('lines have their mode and axis, and a sum has no axis', () => {
  const lines = { charts: '1:a,2:a', mode: 'indexed', axis: 'log', range: '7d' } as const;
  assert.deepEqual(given(linesPictureQuery(lines)), lines);
  assert.deepEqual(given(linesPictureQuery({ ...lines, mode: 'sum' })), {
    charts: '1:a,2:a',
    mode: 'sum',
    range: '7d',
  });
  const usual = { mode: 'absolute', axis: 'linear', range: '30d' } as const;
  assert.deepEqual(given(linesPictureQuery({ charts: '1:a', ...usual })), { charts: '1:a' });
});
