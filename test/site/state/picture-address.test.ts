// The addresses of pictures say what is shown, and nothing that is the default.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartPictureAddress, linesPictureAddress } from '../../../src/site/state/pictures.ts';

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

test('two dates are in the address of a line, of shares over time, and of several lines', () => {
  const window = { from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 4, 9, 12) };
  const shown = { view: 'now', unit: 'percent', window } as const;
  const times = 'from=2026-05-01&to=2026-05-09T12:00Z';
  assert.equal(queryOf({ form: 'line', ...shown }), `?${times}`);
  assert.equal(queryOf({ form: 'pie', ...shown }), '');
  assert.equal(queryOf({ form: 'pie', ...shown, view: 'history' }), `?view=history&${times}`);
  const lines = { charts: [{ pluginId: 1, chartId: 'a' }], mode: 'sum', axis: 'linear', window } as const;
  assert.equal(linesPictureAddress('svg', lines), `/embed/lines.svg?charts=1:a&mode=sum&${times}`);
});

test('lines have their mode and axis, and a sum has no axis', () => {
  const lines = {
    charts: [1, 2].map((pluginId) => ({ pluginId, chartId: 'a' })),
    mode: 'indexed',
    axis: 'log',
    window: '7d',
  } as const;
  const path = '/embed/lines.png?charts=1:a,2:a';
  assert.equal(linesPictureAddress('png', lines), `${path}&mode=indexed&axis=log&range=7d`);
  assert.equal(linesPictureAddress('png', { ...lines, mode: 'sum' }), `${path}&mode=sum&range=7d`);
  const usual = { mode: 'absolute', axis: 'linear', window: '30d' } as const;
  assert.equal(linesPictureAddress('png', { ...lines, ...usual }), path);
});
