// The links below a chart in every state of its page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageState } from '../../../src/site/state/page-state.ts';
import { chartLinks } from '../../../src/site/state/pictures.ts';

const file = '/plugin/s/P/7/c.csv';
const links = (form: string, state: Partial<PageState>) =>
  chartLinks(
    { pluginId: 7, chartId: 'c', form, csvPath: file },
    { window: '30d', view: 'now', unit: 'percent', filters: new Map(), ...state },
  );
const days = { from: Date.UTC(2026, 4, 1), to: Date.UTC(2026, 4, 9) };

test('the links of a line follow its range', () => {
  assert.deepEqual(links('line', { view: 'history', window: '1y' }), {
    csv: `${file}?range=1y`,
    compare: '/compare?charts=7:c&range=1y',
    svg: '/embed/7/c.svg?range=1y',
    png: '/embed/7/c.png?range=1y',
  });
  assert.equal(links('line', {}).svg, '/embed/7/c.svg');
});

test('data and pictures have two dates too, but for shares of now', () => {
  const { csv, svg, png } = links('line', { window: days });
  assert.equal(csv, `${file}?from=2026-05-01&to=2026-05-09`);
  const times = 'from=2026-05-01&to=2026-05-09';
  assert.deepEqual([svg, png], [`/embed/7/c.svg?${times}`, `/embed/7/c.png?${times}`]);
  assert.equal(links('pie', { window: days }).svg, '/embed/7/c.svg');
  assert.equal(links('pie', { window: days, view: 'history' }).svg, `/embed/7/c.svg?view=history&${times}`);
});

test('shares over time have their view and unit, and other charts do not', () => {
  const past: Partial<PageState> = { view: 'history', unit: 'count', window: 'all' };
  assert.equal(links('pie', past).png, '/embed/7/c.png?view=history&unit=count&range=all');
  assert.equal(links('pie', past).csv, `${file}?view=history`);
  assert.deepEqual([links('other', past).svg, links('other', past).csv], ['/embed/7/c.svg', file]);
});

test('shares that the page hides are in pictures and data', () => {
  const filters = new Map([['c', { kind: 'hide', names: ['a'] } as const]]);
  assert.deepEqual(links('pie', { filters }), links('pie', {}));
});
