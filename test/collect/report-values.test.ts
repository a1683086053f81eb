// What one report adds to the charts of a plugin.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CountedChart, valuesForCharts } from '../../src/collect/report-values.ts';

const chart = (chartId: string, type: string, isDefault = false): CountedChart => ({
  chartId,
  type,
  isDefault,
  clamp: (value) => Math.min(value, 500),
});
const server = {
  softwareUrl: 'bukkit',
  fields: { playerAmount: 7, coreCount: 4 },
  pluginVersion: '2.0',
  country: { code: 'DE', name: 'Germany' },
};
const reported = new Map([
  ['mode', { value: 'fast' }],
  ['players', { value: 900 }],
  ['where', { value: 'AUTO' }],
]);

function added(...charts: readonly CountedChart[]): Record<string, unknown> {
  const { values } = valuesForCharts(charts, server, reported);
  return Object.fromEntries(
    Array.from(values, ([name, value]) => [
      name.split(' ')[0],
      typeof value === 'number' ? value : value.map(([name]) => name),
    ]),
  );
}

test('default charts are computed, and others are taken from the report', () => {
  assert.deepEqual(
    added(
      chart('players', 'single_linechart', true),
      chart('pluginVersion', 'simple_pie', true),
      chart('mode', 'simple_pie'),
      chart('where', 'simple_map'),
    ),
    { players: 7, pluginVersion: ['2.0'], mode: ['fast'], where: ['DE'] },
  );
});

test('a chart that is no default chart is never computed, even with the name of one', () => {
  assert.deepEqual(added(chart('players', 'single_linechart'), chart('coreCount', 'simple_pie')), {
    players: 500,
  });
});

test('a chart of another type, an unknown default chart and a chart without a value are left out', () => {
  assert.deepEqual(
    added(
      chart('players', 'simple_pie', true),
      chart('mode', 'single_linechart'),
      chart('mode', 'simple_pie', true),
      chart('osArch', 'simple_pie', true),
      chart('missing', 'simple_pie'),
    ),
    {},
  );
});

test('charts of a report that the plugin does not have, and values that do not fit, are listed', () => {
  const dropped = (...charts: readonly CountedChart[]) =>
    Object.fromEntries(valuesForCharts(charts, server, reported).dropped);
  assert.deepEqual(dropped(chart('mode', 'single_linechart'), chart('players', 'single_linechart', true)), {
    mode: 'wrong-value',
    players: 'unknown-chart',
    where: 'unknown-chart',
  });
  const all = [
    chart('mode', 'simple_pie'),
    chart('players', 'single_linechart'),
    chart('where', 'simple_map'),
  ];
  assert.deepEqual(dropped(...all), {});
});
