/**
 * What a catalogue comes to at the scale of an ecosystem and of the internet: `npm run scaling` writes the tables of
 * docs/scaling.md. Always the same numbers: chance is seeded, and what an operation costs is given, not timed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { encodeChunks, extendChunk } from '../src/series/chunk.ts';
import { lastTimestamp, slotMs, slots } from './data/catalogue.ts';
import { type LineKind, lineValues } from './data/line-values.ts';
import { createRandom } from './data/random.ts';

/** A measured figure, and the question of the bench that gives it anew. */
interface Cost {
  readonly microseconds: number;
  readonly question: string;
}

/** CPU time of one operation on one core; medians of short rounds on a busy machine with two cores, the slowest of a few runs. */
export const defaultCosts = {
  remembered: { microseconds: 12, question: 'question P4' },
  notRememberedNode: { microseconds: 128, question: 'question P1' },
  notRememberedDatabase: { microseconds: 58, question: 'question P5, in its note' },
  importPoint: {
    microseconds: 23,
    question: 'docs/postgresql.md, one point for each of 120,000 charts',
  },
} as const satisfies Readonly<Record<string, Cost>>;

/** What the bench measured, by operation. */
export type Costs = Readonly<Record<keyof typeof defaultCosts, Cost>>;

/** A catalogue and who asks for it. */
interface Scale {
  readonly pluginCount: number;
  /** Requests of all clients for a chart, a second. */
  readonly requestsPerSecond: number;
}

const scales: readonly Scale[] = [
  { pluginCount: 30_000, requestsPerSecond: 2000 },
  { pluginCount: 1_000_000, requestsPerSecond: 100_000 },
];

const linesPerPlugin = 2;
const snapshotsPerPlugin = 10;
const regionCounts = [1, 4, 16];

/** As `serve` sends it: `max-age`, and `stale-while-revalidate` behind it. */
const freshSeconds = 60;
const staleSeconds = 600;

/** Simulated time: an edge fills up first, then is counted. */
const warmUpSeconds = 700;
const countedSeconds = 300;

/** So many requests are played at most, about; see {@link simulateEdges}. */
const maxSimulated = 3_000_000;

/** Popularity falls with the rank of a plugin to this power, as it does for pages of the web. */
const zipfExponent = 0.9;

/** What is asked for most by a client: a month of a line, its latest point, a pie. */
const variantsPerPlugin = 6;

/** What the edges of all regions took, and what they left. */
interface EdgeResult {
  /** Share of requests that edges answered from what they held. */
  readonly hitShare: number;
  /** Share of those answers that were older than `max-age`, while the edge asked for a newer one. */
  readonly staleShare: number;
  /** Requests that reach the origin, a second. */
  readonly originPerSecond: number;
  /** Share of the origin's requests that ask for what no edge has asked for since counting began: since an import. */
  readonly firstShare: number;
}

/**
 * Lets clients ask, and counts what reaches the origin. The rate of every plugin is what decides whether an edge holds
 * it: where the whole traffic is too much to play, plugins are sampled (every n-th rank), never their requests.
 */
export function simulateEdges(scale: Scale, regionCount: number): EdgeResult {
  const total = scale.requestsPerSecond * (warmUpSeconds + countedSeconds);
  const everyRank = Math.max(1, Math.ceil(total / maxSimulated));
  const random = createRandom(scale.pluginCount + regionCount);
  let weightSum = 0;
  for (let rank = 1; rank <= scale.pluginCount; rank++) weightSum += rank ** -zipfExponent;
  const counts = { requests: 0, hits: 0, stale: 0, origin: 0, first: 0 };
  // The head is few and decides much: each of its plugins is played; behind it, one plugin stands for n.
  const headCount = 200;
  for (let rank = 1; rank <= scale.pluginCount; rank += rank <= headCount ? 1 : everyRank) {
    const stands = rank <= headCount ? 1 : everyRank;
    // The middle one of those that it stands for.
    const share = (rank + (stands - 1) / 2) ** -zipfExponent / weightSum;
    const perSecond = (scale.requestsPerSecond * share) / variantsPerPlugin;
    // A head of thousands of requests a second is no other than one of fifty: hits but for one a minute.
    const played = Math.min(perSecond, 50 * regionCount);
    const surplus = (perSecond - played) * countedSeconds * variantsPerPlugin * stands;
    counts.requests += surplus;
    counts.hits += surplus;
    for (let variant = 0; variant < variantsPerPlugin; variant++) {
      playChart({ perSecond: played, regionCount, stands, next: random.next }, counts);
    }
  }
  return {
    hitShare: counts.hits / counts.requests,
    staleShare: counts.stale / counts.hits,
    originPerSecond: (counts.origin / counts.requests) * scale.requestsPerSecond,
    firstShare: counts.first / counts.origin,
  };
}

interface Counts {
  requests: number;
  hits: number;
  stale: number;
  origin: number;
  first: number;
}

/** One answer at all edges: requests come as they like (a Poisson process), from any region. */
function playChart(
  chart: {
    readonly perSecond: number;
    readonly regionCount: number;
    readonly stands: number;
    readonly next: () => number;
  },
  counts: Counts,
): void {
  const { perSecond, regionCount, stands, next } = chart;
  const fetchedAt = new Float64Array(regionCount).fill(Number.NEGATIVE_INFINITY);
  let isRemembered = false;
  const wait = () => -Math.log(1 - next()) / perSecond;
  for (let at = wait(); at < warmUpSeconds + countedSeconds; at += wait()) {
    const region = Math.floor(next() * regionCount);
    const age = at - (fetchedAt[region] ?? 0);
    const isCounted = at >= warmUpSeconds;
    const isFetched = age > freshSeconds;
    if (isFetched) fetchedAt[region] = at;
    if (isCounted) {
      counts.requests += stands;
      if (age <= freshSeconds + staleSeconds) counts.hits += stands;
      if (isFetched && age <= freshSeconds + staleSeconds) counts.stale += stands;
      if (isFetched) counts.origin += stands;
      // An import empties what was remembered: here, the moment when counting begins.
      if (isFetched && !isRemembered) counts.first += stands;
      if (isFetched) isRemembered = true;
    }
  }
}

/** Bytes that a point of each kind of line takes, from chunks that are really encoded. */
export function bytesPerPoint(kind: LineKind): number {
  let byteCount = 0;
  let pointCount = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const points = pointsOf(kind, seed);
    for (const chunk of encodeChunks(points)) byteCount += chunk.bytes.length + rowBytes;
    pointCount += points.timestamps.length;
  }
  return byteCount / pointCount;
}

/** Of a row beside its bytes: header, key and its place in the index, in PostgreSQL. */
const rowBytes = 24 + 4 + 16 + 4 + 24;

/** Bytes of a row that are written anew when a line gets one more point, on average over a year. */
export function rewrittenBytes(kind: LineKind): number {
  let byteCount = 0;
  const points = pointsOf(kind, 1);
  let [last] = encodeChunks(firstPoints(points, 1));
  const pointCount = 2000;
  for (let at = 1; at < pointCount && last !== undefined; at++) {
    const chunks = extendChunk(last, {
      timestamps: points.timestamps.slice(at, at + 1),
      values: points.values.slice(at, at + 1),
    });
    last = chunks.at(-1);
    byteCount += (last?.bytes.length ?? 0) + rowBytes;
  }
  return byteCount / pointCount;
}

function pointsOf(kind: LineKind, seed: number) {
  const values = lineValues({ seed, kind, slotCount: slots.year });
  const present = Array.from(values.keys()).filter((slot) => (values[slot] ?? -1) >= 0);
  return {
    timestamps: Float64Array.from(present, (slot) => lastTimestamp - (slots.year - 1 - slot) * slotMs),
    values: Float64Array.from(present, (slot) => values[slot] ?? 0),
  };
}

function firstPoints(points: ReturnType<typeof pointsOf>, count: number) {
  return { timestamps: points.timestamps.slice(0, count), values: points.values.slice(0, count) };
}

/** How common each kind of line is, as in the data of the bench. */
const kindShares = { busy: 0.2, small: 0.3, dead: 0.5 } as const;
const kinds = ['busy', 'small', 'dead'] as const;

/** The tables, in Markdown. */
export function scalingTables(costs: Costs = defaultCosts): string {
  return [costTable(costs), storageTable(costs), trafficTable(costs)].join('\n');
}

function costTable(costs: Costs): string {
  const names: Readonly<Record<keyof Costs, string>> = {
    remembered: 'a remembered answer, of the node',
    notRememberedNode: 'a default month that is not remembered, of the node',
    notRememberedDatabase: 'the same, of the database',
    importPoint: 'one new point of one of many lines: time of an import into PostgreSQL',
  };
  const rows = Object.entries(names).map(([name, what]) => {
    const { microseconds, question } = costs[name as keyof Costs];
    return [what, `${microseconds} µs`, question];
  });
  return table(['given: time of one core', '', 'measured by'], rows);
}

function storageTable(costs: Costs): string {
  const perPoint = kinds.map((kind) => [kind, bytesPerPoint(kind)] as const);
  const mean = perPoint.reduce((sum, [kind, bytes]) => sum + kindShares[kind] * bytes, 0);
  const rewritten = kinds.reduce((sum, kind) => sum + kindShares[kind] * rewrittenBytes(kind), 0);
  const lineCounts = scales.map(({ pluginCount }) => pluginCount * linesPerPlugin);
  const row = (what: string, figure: (lineCount: number) => string) => [what, ...lineCounts.map(figure)];
  const bytes = perPoint.map(([kind, figure]) => [
    `bytes a point, ${kind} lines`,
    ...lineCounts.map(() => figure.toFixed(3)),
  ]);
  return table(
    ['encoded and counted', ...scales.map(({ pluginCount }) => `${grouped(pluginCount)} plugins`)],
    [
      [
        'charts',
        ...scales.map(({ pluginCount }) => grouped(pluginCount * (linesPerPlugin + snapshotsPerPlugin))),
      ],
      row('points every half hour', grouped),
      row('points a year', (count) => `${((count * slots.year) / 1e9).toFixed(2)} billion`),
      ...bytes,
      row('bytes a year, lines as they are mixed', (count) => gigabytes(count * slots.year * mean)),
      row('ten years', (count) => gigabytes(count * slots.year * mean * 10)),
      row('rewritten every half hour (rows, before WAL)', (count) => gigabytes(count * rewritten)),
      row(
        'an import every half hour takes',
        (count) => `${((count * costs.importPoint.microseconds) / 1e6).toFixed(1)} s`,
      ),
      row('share of the half hour', (count) =>
        percent((count * costs.importPoint.microseconds) / (slotMs * 1000)),
      ),
    ],
  );
}

function trafficTable(costs: Costs): string {
  const rows = scales.flatMap((scale) =>
    regionCounts.map((regionCount) => {
      const edges = simulateEdges(scale, regionCount);
      const { remembered, notRememberedNode, notRememberedDatabase } = costs;
      const misses = edges.originPerSecond * edges.firstShare;
      const nodeMicroseconds =
        edges.firstShare * notRememberedNode.microseconds + (1 - edges.firstShare) * remembered.microseconds;
      return [
        grouped(scale.pluginCount),
        grouped(scale.requestsPerSecond),
        String(regionCount),
        percent(edges.hitShare),
        percent(edges.staleShare),
        grouped(edges.originPerSecond),
        grouped(misses),
        grouped(1e6 / nodeMicroseconds),
        cores(edges.originPerSecond * nodeMicroseconds),
        cores(edges.originPerSecond * notRememberedNode.microseconds),
        cores(misses * notRememberedDatabase.microseconds),
        cores(edges.originPerSecond * notRememberedDatabase.microseconds),
        cores(scale.requestsPerSecond * notRememberedNode.microseconds),
      ];
    }),
  );
  const head = ['plugins', 'requests/s of clients', 'regions', 'answered by the CDN', 'of those stale'];
  const origin = [
    'reach the nodes, /s',
    'reach the database after an import, /s',
    'requests/s per node of one core',
  ];
  const columns = [
    'cores of nodes',
    'the same, nothing remembered',
    'cores of the database',
    'the same, nothing remembered',
    'cores of nodes with neither CDN nor memory',
  ];
  return table([...head, ...origin, ...columns], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}

function cores(microsecondsPerSecond: number): string {
  return (microsecondsPerSecond / 1e6).toFixed(2);
}

function grouped(figure: number): string {
  return figure.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

const begin = '<!-- generated by npm run scaling: begin -->';
const end = '<!-- generated by npm run scaling: end -->';

/** Where the tables stand. */
export const scalingPage = new URL('../docs/scaling.md', import.meta.url);

/** The page with these tables between its marks. Throws where it has none. */
export function withScalingTables(page: string, tables: string): string {
  const start = page.indexOf(begin);
  const stop = page.indexOf(end);
  if (start === -1 || stop < start) throw new Error(`the page must hold the lines ${begin} and ${end}`);
  return `${page.slice(0, start + begin.length)}\n\n${tables}\n${page.slice(stop)}`;
}

if (import.meta.main) {
  writeFileSync(scalingPage, withScalingTables(readFileSync(scalingPage, 'utf8'), scalingTables()));
}
