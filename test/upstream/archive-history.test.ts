// What charts of shares show and have shown, where a source with /api/v2 and a mirror with --history may both
// say it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { type ArchiveSource, serveArchives } from './archive-source.ts';
import { recordsOf } from './mirror-into.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);
const head = { pluginId: 7, chartId: 'version' };
const catalogue = [softwareLine(), pluginLine(), chartLine({ ...head, uid: 72, type: 'simple_pie' })];

const pie = (y: number, at?: number): string =>
  JSON.stringify({
    record: 'data',
    ...head,
    data: y === 0 ? [] : [{ name: 'a', y }],
    ...(at === undefined ? {} : { at }),
  });

const history = (entries: readonly (readonly [time: number, value: number])[]): string =>
  JSON.stringify({
    record: 'history',
    ...head,
    times: entries.map(([time]) => time),
    series: [{ name: 'a', values: entries.map(([, value]) => value) }],
  });

/** The value that the pie of the mirror shows, its time, and the values of its history. */
async function pastOf({ mirror }: ArchiveSource) {
  const records = await recordsOf(mirror);
  const shown = records.find(({ record }) => record === 'data');
  const [past] = records.filter(({ record }) => record === 'history');
  const [series] = (past?.['series'] ?? []) as { readonly values: readonly number[] }[];
  const times = (past?.['times'] ?? []) as readonly number[];
  const [slice] = (shown?.['data'] ?? []) as { readonly y: number }[];
  return [slice?.y, shown?.['at'], times.map((time, index) => [time - start, series?.values[index] ?? 0])];
}

async function assertSame(source: ArchiveSource): Promise<void> {
  assert.equal(await source.mirrorText(), await source.sourceText());
}

describe('with --history, a mirror of a server with archives', () => {
  const options = { historyStepMs: hour };

  test('keeps what a chart shows without a time, and a second visit in the step replaces the first', async () => {
    await using source = await serveArchives([...catalogue, pie(1)]);
    await source.visit(start + 10, options);
    await source.add([pie(2)]);
    await source.visit(start + hour - 1, options);
    assert.deepEqual(await pastOf(source), [2, start, [[0, 2]]]);
    await source.visit(start + hour - 1, options);
    assert.deepEqual(await pastOf(source), [2, start, [[0, 2]]]);
    await source.visit(start + 3 * hour, options);
    await source.add([pie(0)]);
    await source.visit(start + 4 * hour, options);
    assert.deepEqual(await pastOf(source), [
      undefined,
      start + 4 * hour,
      [
        [0, 2],
        [3 * hour, 2],
        [4 * hour, 0],
      ],
    ]);
  });

  test('leaves a time as the source has it', async () => {
    await using source = await serveArchives([...catalogue, pie(1, start + 7)]);
    await source.visit(start + hour, options);
    await assertSame(source);
    // It has a time of its own where the visit would keep one.
    await source.add([pie(5), history([[start + 2 * hour, 9]])]);
    for (let visit = 0; visit < 2; visit++) {
      await source.visit(start + 2 * hour + visit, options);
      await assertSame(source);
    }
  });

  test('asks from the step on, so that it knows the times of the source there', async () => {
    await using source = await serveArchives([
      ...catalogue,
      pie(5),
      history([
        [start, 9],
        [start + 20 * hour, 8],
      ]),
    ]);
    await source.visit(start + 20 * hour, { historyStepMs: day });
    await source.visit(start + 23 * hour, { historyStepMs: day });
    await assertSame(source);
  });
});
