/** The inner loops one by one: `node bench/micro.ts`. Microseconds for a default month of a busy line. */

import type { Points } from '../src/model/points.ts';
import { decodeLatest, encodeChunks } from '../src/series/chunk.ts';
import { renderPoints } from '../src/series/points-json.ts';
import { lastTimestamp, slotMs, slots } from './data/catalogue.ts';
import { lineValues } from './data/line-values.ts';
import { median } from './harness/rounds.ts';

const roundCount = 7;
const roundMs = 200;

const points = busyPoints();
const pairs = Array.from(points.timestamps, (timestamp, index) => [timestamp, points.values[index] ?? 0]);
const chunks = encodeChunks(points);

const loops: ReadonlyArray<readonly [name: string, loop: () => { readonly length: number }]> = [
  ['render: renderPoints', () => renderPoints(points)],
  ['render: JSON.stringify of pairs', () => Buffer.from(JSON.stringify(pairs))],
  ['render: pairs made, JSON.stringify', () => Buffer.from(JSON.stringify(pairsOf(points)))],
  ['render: template strings', () => Buffer.from(templateText(points))],
  ['decode: decodeLatest', () => decodeLatest(chunks, slots.month).timestamps],
  ['decode and render', () => renderPoints(decodeLatest(chunks, slots.month))],
  ['encode: encodeChunks', () => encodeChunks(points)],
];

const figures = new Map(loops.map(([name]): [string, number[]] => [name, []]));
for (let round = 0; round < roundCount; round++) {
  for (const [name, loop] of loops) figures.get(name)?.push(microseconds(loop));
}
for (const [name, rounds] of figures) {
  process.stdout.write(`${name.padEnd(36)} ${median(rounds).toFixed(1).padStart(8)} µs\n`);
}

/** What one turn takes, over a round. */
function microseconds(loop: () => { readonly length: number }): number {
  let turnCount = 0;
  let seen = 0;
  const startedAt = performance.now();
  let elapsedMs = 0;
  for (; elapsedMs < roundMs; elapsedMs = performance.now() - startedAt) {
    for (let turn = 0; turn < 20; turn++) seen += loop().length;
    turnCount += 20;
  }
  // The results are looked at, so that no engine may leave out the work.
  if (seen === 0) throw new Error('a loop gave nothing');
  return (elapsedMs * 1000) / turnCount;
}

function busyPoints(): Points {
  const values = lineValues({ seed: 613, kind: 'busy', slotCount: slots.month });
  const present = Array.from(values.keys()).filter((slot) => (values[slot] ?? -1) >= 0);
  return {
    timestamps: Float64Array.from(present, (slot) => lastTimestamp - (slots.month - 1 - slot) * slotMs),
    values: Float64Array.from(present, (slot) => values[slot] ?? 0),
  };
}

function pairsOf({ timestamps, values }: Points): number[][] {
  return Array.from(timestamps, (timestamp, index) => [timestamp, values[index] ?? 0]);
}

function templateText({ timestamps, values }: Points): string {
  let text = '';
  for (let index = 0; index < timestamps.length; index++) text += `,[${timestamps[index]},${values[index]}]`;
  return `[${text.slice(1)}]`;
}
