// The addresses of pictures say what is shown, and nothing that is the default.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartPictureAddress } from '../../../src/site/state/pictures.ts';

type Shown = Parameters<typeof chartPictureAddress>[2];

function queryOf(shown: Shown): string {
  return chartPictureAddress({ pluginId: 7, chartId: 'c' }, 'svg', shown).slice('/embed/7/c.svg'.length);
}

test('a line has its range, shares over time have their view and unit, and other charts have nothing', () => {
  const past = { view: 'history', unit: 'count', window: '90d' } as const;
  assert.equal(queryOf({ form: 'line', ...past }), '?range=90d');
  assert.equal(queryOf({ form: 'pie', ...past }), '?view=history&unit=count&range=90d');
  assert.equal(queryOf({ form: 'pie', ...past, view: 'now' }), '');
  assert.equal(queryOf({ form: 'other', ...past }), '');
  const usual = { ...past, unit: 'percent', window: '30d' } as const;
  assert.equal(queryOf({ form: 'map', ...usual }), '?view=history');
  const look = { theme: 'dark', width: 400, height: 300 } as const;
  assert.equal(queryOf({ form: 'map', ...usual, look }), '?view=history&theme=dark&width=400');
});
