// The dashboard and the alerts: they use existing metrics and labels, and the dashboard shows every metric.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { countRequest } from '../../src/http/metrics.ts';
import { parseMetrics } from '../admin/metrics-text.ts';
import { allMetrics, allMetricsText } from '../support/defined-metrics.ts';

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}

const dashboard: {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
} = JSON.parse(textOf('ops/grafana-dashboard.json'));
const alerts: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } = parse(
  textOf('ops/prometheus-alerts.yml'),
);
const rules = alerts.groups.flatMap((group) => group.rules);
const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const expressions = [
  ...panelExpressions,
  ...dashboard.templating.list.map(({ query }) => query),
  ...rules.map(({ expr }) => expr),
];

/** Every name and value of a label that a metric can have. */
countRequest(501);
// Imported after the list of its metrics was made.
const { lastClosingSeconds, reportsRefused, valuesDropped } = await import('../../src/collect/metrics.ts');
valuesDropped.inc({ reason: 'unknown-chart' });
lastClosingSeconds.set(1);
for (const reason of ['store-unavailable', 'overloaded', 'internal-error']) reportsRefused.inc({ reason });
const series = [...parseMetrics(await allMetricsText()).keys()];

describe('the dashboard and the alerts', () => {
  test('use existing metrics', () => {
    const names = new Set([
      ...series.map((one) => one.replace(/\{.*/, '')),
      ...allMetrics.map(({ name }) => name),
    ]);
    const used = expressions.flatMap(
      (expression) => expression.match(/\b(?:plugin_metrics|process)_\w+/g) ?? [],
    );
    assert.ok(used.length > 20);
    assert.deepEqual(
      used.filter((name) => !names.has(name)),
      [],
    );
  });

  test('select by existing labels, and match at least one series each', () => {
    let selectorCount = 0;
    for (const expression of expressions) {
      for (const [, name = '', selector = ''] of expression.matchAll(/\b(plugin_metrics_\w+)\{([^}]*)\}/g)) {
        for (const [, label = '', operator, value = ''] of selector.matchAll(/(\w+)(=~|=|!=)"([^"]*)"/g)) {
          // The scrape adds the job.
          if (label === 'job') continue;
          selectorCount++;
          const ofMetric = series.filter((one) => one.startsWith(`${name}{`));
          const values = ofMetric.map((one) => new RegExp(`\\b${label}="([^"]*)"`).exec(one)?.[1] ?? '');
          const pattern = new RegExp(`^(?:${operator === '=~' ? value : value.replaceAll('.', '\\.')})$`);
          assert.ok(
            values.some((one) => pattern.test(one)),
            `${name}{${selector}}`,
          );
        }
      }
    }
    assert.ok(selectorCount >= 3);
  });

  test('show every metric', () => {
    const shown = panelExpressions.join('\n');
    assert.deepEqual(
      allMetrics
        .map(({ name }) => name)
        .filter((name) => !new RegExp(`\\b${name}(?:_bucket)?\\b`).test(shown)),
      [],
    );
  });
});

function textOf(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
}
