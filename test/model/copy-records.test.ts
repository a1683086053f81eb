// Copying records: in order, counted, and with the place of a failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsOf } from '../../src/model/columns.ts';
import { copyRecords, noCounts } from '../../src/model/copy-records.ts';
import type { MetricsRecord, RecordSource } from '../../src/model/metrics-record.ts';
import type { MetricsWriter } from '../../src/model/metrics-writer.ts';

const place = 'a test';
const line: MetricsRecord = {
  place,
  kind: 'data',
  pluginId: 7,
  chartId: 'players',
  dataFor: () => ({
    storage: 'points',
    points: pointsOf([
      [1, 1],
      [2, 2],
      [3, 3],
    ]),
  }),
};
const end: MetricsRecord = { place, kind: 'end' };

test('a time that the history repeats after the data is counted once', async () => {
  const share: MetricsRecord = { ...line, at: 3, chartId: 'os' };
  const history = (chartId: string, times: readonly number[]): MetricsRecord => ({
    place,
    kind: 'history',
    pluginId: 7,
    chartId,
    historyFor: () => ({ times: Float64Array.from(times), series: [] }),
  });
  const counts = noCounts();
  const records = [share, history('os', [1, 2]), history('os', [3]), history('arch', [3])];
  await copyRecords(sourceOf(records, [history('os', [4]), end]), writerInto([]), counts);
  assert.equal(counts.historyTime, 5);
});

function sourceOf(...batches: ReadonlyArray<readonly MetricsRecord[]>): RecordSource {
  return {
    async *records() {
      yield* batches;
    },
  };
}

/** A writer that collects the records, reads the data as a store would, and must not be committed. */
function writerInto(written: MetricsRecord[]): MetricsWriter {
  return {
    write: async (records) => {
      for (const record of records) {
        if (record.kind === 'data') record.dataFor('single_linechart');
        if (record.kind === 'history') record.historyFor('simple_pie');
        written.push(record);
      }
    },
    commit: () => assert.fail('a copy must not commit'),
    [Symbol.asyncDispose]: async () => {},
  };
}
