/** A strict reader of the text format of Prometheus, version 0.0.4. */
import assert from 'node:assert/strict';

/** A series, such as `requests_total{status="200"}`, and its value. */
export type Series = ReadonlyMap<string, number>;

interface Family {
  readonly name: string;
  readonly type: string;
}

const namePattern = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const labelPattern = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const helpLine = new RegExp(`^# HELP (${namePattern}) (\\S.*)$`);
const typeLine = new RegExp(`^# TYPE (${namePattern}) (counter|gauge|histogram|summary)$`);
const sampleLine = new RegExp(
  `^((${namePattern})(?:\\{(${labelPattern}(?:,${labelPattern})*)\\})?) (\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?|Nan)$`,
);

/** Reads every line; throws at the first that is not as the format wants it. */
export function parseMetrics(text: string): Series {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const series = new Map<string, number>();
  const names = new Set<string>();
  const lines = text.slice(0, -1).split('\n');
  let family: Family | undefined;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line === '') continue;
    const help = helpLine.exec(line);
    if (help !== null) {
      const type = typeLine.exec(lines[++index] ?? '');
      assert.equal(type?.[1], help[1], `no type follows: ${line}`);
      family = { name: help[1] ?? '', type: type?.[2] ?? '' };
      assert.ok(!names.has(family.name), `twice: ${line}`);
      names.add(family.name);
      // The client of Prometheus has gauges of Node that end with it.
      if (!family.name.startsWith('nodejs_'))
        assert.equal(family.type === 'counter', family.name.endsWith('_total'), line);
      continue;
    }
    const [, key = '', name = '', , value] = sampleLine.exec(line) ?? assert.fail(`not a line: ${line}`);
    assert.ok(family !== undefined && isOf(family, name), `in the wrong place: ${line}`);
    assert.ok(!series.has(key), `twice: ${line}`);
    series.set(key, Number(value));
  }
  for (const name of names) checkHistogram(series, name);
  return series;
}

function isOf({ name, type }: Family, sample: string): boolean {
  return type === 'histogram'
    ? [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(sample)
    : type === 'summary'
      ? [name, `${name}_sum`, `${name}_count`].includes(sample)
      : sample === name;
}

/** Buckets are cumulative, in ascending order, and the last one has them all. */
function checkHistogram(series: Series, name: string): void {
  const buckets = [...series].filter(([key]) => key.startsWith(`${name}_bucket{`));
  const ofLabels = Map.groupBy(buckets, ([key]) => /\{le="[^"]+"(?:,(.*))?\}$/.exec(key)?.[1] ?? '');
  for (const [labels, own] of ofLabels)
    checkBuckets(own, series.get(`${name}_count${labels === '' ? '' : `{${labels}}`}`));
}

function checkBuckets(
  buckets: readonly (readonly [key: string, value: number])[],
  total: number | undefined,
): void {
  let bound = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const [key, value] of buckets) {
    const text = /\{le="([^"]+)"/.exec(key)?.[1] ?? assert.fail(key);
    const next = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
    assert.ok(next > bound && value >= count, key);
    bound = next;
    count = value;
  }
  assert.equal(bound, Number.POSITIVE_INFINITY);
  assert.equal(count, total);
}
