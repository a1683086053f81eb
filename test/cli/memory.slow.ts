// The memory of a command compared with the size of its input and output, in a process of its own.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  archiveText,
  chartLine,
  dataLine,
  endLine,
  headerLine,
  pluginLine,
  softwareLine,
} from '../support/archive-text.ts';
import { endOf, runProcess, startProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import '../support/without-coverage.ts';

const directory = directoryOfFile();

/** Arguments with which a process prints its peak of memory when it ends. */
const nodeArgv = [
  '--import',
  `data:text/javascript,${encodeURIComponent('process.on("exit",()=>process.stderr.write("peak "+process.resourceUsage().maxRSS))')}`,
];
const peakIn = (stderr: string) => Number(/peak (\d+)$/.exec(stderr)?.[1]) * 1024;

test('importing a hundred megabytes from standard input takes less than 300 MB of memory', async () => {
  const { child, peakBytes } = startImport('imported.db');
  const points = JSON.stringify(
    Array.from({ length: 5000 }, (_, index) => [1_479_799_800_000 + index * 1_800_000, (index * 37) % 1009]),
  );
  const chartCount = Math.ceil(110e6 / points.length);
  child.stdin.write(`${headerLine}\n${softwareLine()}\n${pluginLine()}\n`);
  for (let index = 0; index < chartCount; index++) {
    const chartId = `chart${index}`;
    const isTaken = child.stdin.write(
      `${chartLine({ chartId, uid: 100 + index })}\n${dataLine(chartId, points)}\n`,
    );
    if (!isTaken) await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  child.stdin.end(`${endLine(2 + 2 * chartCount)}\n`);
  const bytes = await peakBytes();
  assert.ok(bytes > 0 && bytes < 300e6, `${Math.round(bytes / 1e6)} MB`);
});

test('importing a history of 8 million values in one line takes less than 400 MB of memory', async () => {
  const { child, peakBytes } = startImport('history.db');
  const times = Array.from({ length: 4000 }, (_, index) => 1_479_799_800_000 + index * 3_600_000);
  const chart = chartLine({ chartId: 'os', type: 'simple_pie' });
  child.stdin.write(
    `${[headerLine.replace('1', '2'), softwareLine(), pluginLine(), chart].join('\n')}\n` +
      `{"record":"history","pluginId":7,"chartId":"os","times":${JSON.stringify(times)},"series":[`,
  );
  for (let share = 0; share < 2000; share++) {
    const values = JSON.stringify(times.map((_, index) => (7 * share + index) % 9));
    const isTaken = child.stdin.write(`${share === 0 ? '' : ','}{"name":"${share}","values":${values}}`);
    if (!isTaken) await new Promise((resolve) => child.stdin.once('drain', resolve));
  }
  child.stdin.end(`]}\n${endLine(4)}\n`);
  const bytes = await peakBytes();
  assert.ok(bytes > 0 && bytes < 400e6, `${Math.round(bytes / 1e6)} MB`);
});

/** Starts an import of standard input, and tells its peak of memory when it has ended. */
function startImport(name: string) {
  const child = startProgram(['import', '--store', directory.at(name), '-'], { nodeArgv });
  const ended = endOf(child);
  const peakBytes = async () => {
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
    return peakIn(stderr);
  };
  return { child, peakBytes };
}

test('a large archive is compressed in bounded memory', async () => {
  const large = directory.at('large.db');
  // Numbers without a pattern, which do not compress.
  let state = 1;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  const points = Array.from({ length: 150_000 }, (_, index) => [index * 1000, next()]);
  const lines = Array.from({ length: 10 }, (_, index) => [
    chartLine({ chartId: `c${index}`, uid: 100 + index }),
    dataLine(`c${index}`, JSON.stringify(points)),
  ]);
  await importText(large, archiveText([softwareLine(), pluginLine(), ...lines.flat()]));
  const cwd = directory.path;
  const peaks: number[] = [];
  for (const name of ['large.ndjson', 'large.gz', 'large.zst']) {
    const run = await runProcess(['export', '--store', large, name], { cwd, nodeArgv });
    assert.equal(run.code, 0, run.stderr);
    peaks.push(peakIn(run.stderr) / 1024 / 1024);
  }
  const sizes = ['large.ndjson', 'large.gz', 'large.zst'].map((name) => statSync(`${cwd}/${name}`).size);
  assert.ok(
    sizes.every((size) => size > 10_000_000),
    String(sizes),
  );
  const [plain = 0, ...compressed] = peaks;
  for (const peak of compressed) assert.ok(peak < plain + 20, `${peaks.join(', ')} MiB`);
  assert.equal(gunzipSync(readFileSync(`${cwd}/large.gz`)).compare(readFileSync(`${cwd}/large.ndjson`)), 0);
});
