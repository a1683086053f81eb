/**
 * The alerts as Prometheus evaluates them: each fires for its fault, alone, and none before. Run by `npm run
 * test:ops`; needs promtool.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readDocument } from '../doc-tables.ts';
import { checkout } from '../package/installed-package.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { findProgram } from './proxy.ts';

/**
 * Values by series as promtool writes them: one for each minute, or for each hour where the times are hours.
 */
type SeriesValues = Readonly<Record<string, string>>;

const last = (name: string) => `plugin_metrics_mirror_last_${name}_timestamp_seconds`;
const timer = (name: string) =>
  `node_systemd_timer_last_trigger_seconds{name="plugin-metrics-${name}.timer"}`;
const unit = (state: string) =>
  `node_systemd_unit_state{name="plugin-metrics-backup.service",state="${state}"}`;

const mirror = {
  plugin_metrics_mirror_interval_seconds: '1800x12000',
  process_start_time_seconds: '0x12000',
};

/** An alert: what it fires for, from which minute on, and until which it is silent. */
type Case = readonly [alert: string, values: SeriesValues, firesAt: string, silentAt: string];

/** The alerts of operators, without the beginning of their names. */
const cases: readonly Case[] = [
  ['Down', { 'up{job="plugin-metrics"}': '1x10 0x10' }, '13m', '11m'],
  ['NotReady', { plugin_metrics_ready: '1x10 0x10' }, '13m', '11m'],
  ['StoreUnreachable', { plugin_metrics_store_unreachable_seconds: '0 60 120' }, '2m', '1m'],
  ['NoNewPoints', { plugin_metrics_newest_point_age_seconds: '0+60x200' }, '131m', '129m'],
  [
    'FailedRequests',
    {
      'plugin_metrics_requests_total{status="200"}': '0+100x60',
      'plugin_metrics_requests_total{status="501"}': '0+100x60',
      'plugin_metrics_requests_total{status="503"}': '0x30 6+6x30',
    },
    '41m',
    '30m',
  ],
  [
    'Overloaded',
    {
      'plugin_metrics_requests_refused_total{reason="rate_limit"}': '0+100x60',
      'plugin_metrics_requests_refused_total{reason="overloaded_large"}': '0x20 1+1x40',
    },
    '31m',
    '20m',
  ],
  [
    'TooManyConnections',
    { 'plugin_metrics_connections_dropped_total{reason="too_many"}': '0x20 1+1x20' },
    '26m',
    '20m',
  ],
  [
    'Slow',
    {
      'plugin_metrics_event_loop_delay_seconds_bucket{le="0.25"}': '0+100x20 2000x40',
      'plugin_metrics_event_loop_delay_seconds_bucket{le="0.5"}': '0+100x60',
      'plugin_metrics_event_loop_delay_seconds_bucket{le="+Inf"}': '0+100x60',
    },
    '40m',
    '20m',
  ],
  ['SlotLeftOut', { plugin_metrics_slots_left_out_total: '0x90 1x10' }, '91m', '89m'],
  [
    'ReportsNotKept',
    {
      'plugin_metrics_reports_refused_total{reason="reported-already"}': '0+9x30',
      'plugin_metrics_reports_refused_total{reason="store-unavailable"}': '0x20 1+1x10',
    },
    '23m',
    '20m',
  ],
  ['MirrorLate', { ...mirror, [last('success')]: '0x1 60x200' }, '92m', '91m'],
  ['MirrorLate', { ...mirror, [last('success')]: '0x200' }, '91m', '90m'],
  ['UnitFailed', { [unit('failed')]: '0 1', [unit('inactive')]: '1 0' }, '1m', '0m'],
  // The check has never run.
  ['BackupLate', { [timer('backup')]: '3600x40', [timer('check')]: '0x40' }, '28h', '27h'],
  // The timer is stopped.
  ['BackupLate', { [timer('backup')]: '3600 3600' }, '28h', '27h'],
  ['CheckLate', { [timer('check')]: '3600x300' }, '194h', '193h'],
];

const ofPlugin = '{plugin_id="1337",plugin="ExamplePlugin"}';

/** The alerts of owners in the same way. */
const ownerCases: readonly Case[] = [
  // Falls to two thirds after eight days; the mean of a day is below 70 % some 22 hours later.
  ['PlayersFell', { [`plugin_metrics_players${ofPlugin}`]: '90x192 60x60' }, '217h', '212h'],
  ['NoNewPoints', { [`plugin_metrics_newest_point_timestamp_seconds${ofPlugin}`]: '0x200' }, '131m', '129m'],
];

testAlerts('ops/prometheus-alerts.yml', 'PluginMetrics', cases);
testAlerts('ops/owner-alerts.yml', 'Plugin', ownerCases);

test('a plugin of few players, or whose players stay, gives no alert', () => {
  using folder = temporaryDirectory();
  const players = (values: string) => ({ series: `plugin_metrics_players${ofPlugin}`, values });
  const tests = ['9x192 1x60', '90x192 70x60'].map((values) => ({
    interval: '1h',
    input_series: [players(values)],
    alert_rule_test: ['200h', '217h', '240h'].map((eval_time) => ({
      eval_time,
      alertname: 'PluginPlayersFell',
      exp_alerts: [],
    })),
  }));
  const file = folder.at('silent.yml');
  const rule_files = [join(checkout, 'ops/owner-alerts.yml')];
  writeFileSync(file, JSON.stringify({ rule_files, evaluation_interval: '1h', tests }));
  testRules([file]);
});

function testRules(files: readonly string[]): void {
  const promtool = findProgram('promtool', 'prometheus');
  const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', ...files], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

function testAlerts(rulesFile: string, prefix: string, ofFile: readonly Case[]): void {
  test(`every alert of ${rulesFile} fires for its fault, and is silent before`, () => {
    using folder = temporaryDirectory();
    const rules = join(checkout, rulesFile);
    const expr = 'count by (alertname) (ALERTS{alertstate="firing"})';
    const steps = Map.groupBy(ofFile, ([, , firesAt]) => `1${firesAt.slice(-1)}`);
    const files = [...steps].map(([step, ofStep]) => {
      const tests = ofStep.map(([alert, values, firesAt, silentAt]) => ({
        interval: step,
        input_series: Object.entries(values).map(([series, values]) => ({ series, values })),
        promql_expr_test: [
          { expr, eval_time: silentAt, exp_samples: [] },
          {
            expr,
            eval_time: firesAt,
            exp_samples: [{ labels: `{alertname="${prefix}${alert}"}`, value: 1 }],
          },
        ],
      }));
      const file = folder.at(`${step}.yml`);
      writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: step, tests }));
      return file;
    });
    testRules(files);
    const { groups } = parse(readDocument(rulesFile)) as {
      readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    assert.deepEqual(alerts, [...new Set(ofFile.map(([alert]) => `${prefix}${alert}`))]);
  });
}
