// The links below a chart in every state of its page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartLinks } from '../../../src/site/state/chart-links.ts';
import type { PageState } from '../../../src/site/state/page-state.ts';

const file = '/plugin/s/P/7/c.csv';
const links = (form: string, state: Partial<PageState>) =>
  chartLinks(
    { pluginId: 7, chartId: 'c', form, csvPath: file },
    { window: '30d', view: 'now', unit: 'percent', axis: 'linear', filters: new Map(), ...state },
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
  const whole = links('line', { axis: 'whole' });
  assert.equal(whole.png, '/embed/7/c.png?axis=whole');
  assert.equal(whole.compare, '/compare?charts=7:c&axis=whole&range=30d');
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

test('shares that are hidden are hidden in pictures and data, where the page hides them', () => {
  const filters = new Map([
    ['c', { kind: 'hide', names: ['a (b)', 'ü&c'] } as const],
    ['other', { kind: 'only', names: ['x'] } as const],
  ]);
  const query = 'hide=a+%28b%29&hide=%C3%BC%26c';
  const now = links('pie', { filters });
  assert.deepEqual([now.svg, now.csv], [`/embed/7/c.svg?${query}`, `${file}?${query}`]);
  const past = links('map', { filters, view: 'history', window: '7d' });
  assert.equal(past.csv, `${file}?view=history&range=7d&${query}`);
  assert.equal(past.png, `/embed/7/c.png?view=history&range=7d&${query}`);
  for (const form of ['map', 'bars', 'line', 'other'])
    assert.doesNotMatch(Object.values(links(form, { filters })).join(' '), /hide/, form);
});
