// The addresses of pictures say what is shown, and nothing that is the default.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartPictureAddress, linesPictureAddress } from '../../../src/site/state/picture-address.ts';

type Shown = Parameters<typeof chartPictureAddress>[2];

function queryOf(shown: Shown): string {
  return chartPictureAddress({ pluginId: 7, chartId: 'c' }, 'svg', shown).slice('/embed/7/c.svg'.length);
}

test('a line has its range and axis, shares over time have their view and unit, and other charts have nothing', () => {
  const past = { view: 'history', unit: 'count', range: '90d', axis: 'whole', filter: undefined } as const;
  assert.equal(queryOf({ form: 'line', ...past }), '?axis=whole&range=90d');
  assert.equal(queryOf({ form: 'pie', ...past }), '?view=history&unit=count&range=90d');
  assert.equal(queryOf({ form: 'pie', ...past, view: 'now' }), '');
  assert.equal(queryOf({ form: 'other', ...past }), '');
  const usual = { ...past, unit: 'percent', axis: 'linear', range: '30d' } as const;
  assert.equal(queryOf({ form: 'map', ...usual }), '?view=history');
  const look = { theme: 'dark', width: 400, height: 300 };
  assert.equal(queryOf({ form: 'map', ...usual, look }), '?view=history&theme=dark&width=400');
});

test('lines have their mode and axis, and a sum has no axis', () => {
  const lines = { charts: '1:a,2:a', mode: 'indexed', axis: 'log', range: '7d' } as const;
  const path = '/embed/lines.png?charts=1:a,2:a';
  assert.equal(linesPictureAddress('png', lines), `${path}&mode=indexed&axis=log&range=7d`);
  assert.equal(linesPictureAddress('png', { ...lines, mode: 'sum' }), `${path}&mode=sum&range=7d`);
  const usual = { mode: 'absolute', axis: 'linear', range: '30d' } as const;
  assert.equal(linesPictureAddress('png', { ...lines, ...usual }), path);
});
