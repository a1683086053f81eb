// Histories of shares: what a pie, a map or bars showed at earlier times, up to what they show now.

import type { Point } from '../catalogues/lines.ts';
import { createRandom } from '../catalogues/random.ts';
import type { JsonText } from '../catalogues/records.ts';
import { historyMembers } from '../catalogues/shares.ts';
import type { SamplePlugin } from './catalogue.ts';
import type { SampleChart } from './chart.ts';
import { pastStartMs } from './lines.ts';
import { type FormerShare, formerShares } from './pasts.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * Times of a record, a week of hours: so few that the times of the next record are near enough for gzip to
 * find them.
 */
const timesPerRecord = 168;

/** A share as the chart shows it now. Of a drilldown pie it is an inner one, and has a group. */
interface Share {
  readonly group: string;
  readonly name: string;
  readonly count: number;
}

/** Adds the history of a plugin with a past to a chart of shares; any other chart stays as it is. */
export function withHistory(
  plugin: SamplePlugin,
  chart: SampleChart,
  servers: readonly Point[],
): SampleChart {
  const { past } = plugin;
  const shares = past === undefined ? undefined : parseShares(chart);
  const last = servers.at(-1);
  if (past === undefined || shares === undefined || last === undefined) return chart;
  const stepMs = past.stepHours * hourMs;
  const at = Math.floor(last[0] / stepMs) * stepMs;
  const earlier = servers.filter(([timestampMs]) => timestampMs % stepMs === 0 && timestampMs < at);
  // The map counts the servers of the pie.
  const seed = `${plugin.id}/${chart.chartId === 'locationMap' ? 'location' : chart.chartId}/past`;
  const lives = livesOf(shares, formerShares(plugin, chart.chartId));
  const columns = drawBack(lives, { servers: earlier, last, seed });
  return { ...chart, at, history: renderHistory(lives, earlier, columns) };
}

/** Parses what a chart shows; undefined for a chart without shares or without data. */
function parseShares({ type, data: [text] }: SampleChart): readonly Share[] | undefined {
  if (text === undefined) return undefined;
  const data = JSON.parse(text);
  switch (type) {
    case 'simple_pie':
    case 'advanced_pie':
      return (data as PieSlice[]).map(({ name, y }) => ({ group: '', name, count: y }));
    case 'drilldown_pie':
      return (data as Drilldown).drilldownData.flatMap(({ name: group, data: inner }) =>
        inner.map(([name, count]) => ({ group, name, count })),
      );
    case 'simple_map':
    case 'advanced_map':
      return (data as Country[]).map(({ code, value }) => ({ group: '', name: code, count: value }));
    case 'simple_bar':
      return (data as Bar[]).map(({ name, data: [count] }) => ({ group: '', name, count }));
    default:
      return undefined;
  }
}

interface PieSlice {
  readonly name: string;
  readonly y: number;
}
interface Drilldown {
  readonly drilldownData: readonly {
    readonly name: string;
    readonly data: readonly (readonly [string, number])[];
  }[];
}
interface Country {
  readonly code: string;
  readonly value: number;
}
interface Bar {
  readonly name: string;
  readonly data: readonly [number];
}

/** A share with its past. */
interface Life extends Share {
  /** Count now, in per cent. */
  readonly weight: number;
  readonly former: FormerShare | undefined;
}

/** Lists the shares of now and those that are gone. */
function livesOf(shares: readonly Share[], former: readonly FormerShare[]): readonly Life[] {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const find = <Named extends Pick<Share, 'group' | 'name'>>(
    list: readonly Named[],
    { group, name }: Pick<Share, 'group' | 'name'>,
  ) => list.find((one) => one.group === group && one.name === name);
  const gone = former.filter((one) => find(shares, one) === undefined);
  return [...gone.map(({ group, name }) => ({ group, name, count: 0 })), ...shares].map((share) => ({
    ...share,
    weight: (100 * share.count) / total,
    former: find(former, share),
  }));
}

/** Input of a history besides the shares. */
interface Course {
  /** The servers at the times of the history, ascending. */
  readonly servers: readonly Point[];
  /** The servers that are counted now. */
  readonly last: Point;
  readonly seed: string;
}

/**
 * Draws the counts of each time, in the order of the shares, from now backwards: each share wanders off from
 * what it is now.
 */
function drawBack(lives: readonly Life[], { servers, last, seed }: Course): number[][] {
  const totalNow = lives.reduce((sum, { count }) => sum + count, 0);
  const walks = lives.map((_, index) => ({ random: createRandom(`${seed}/${index}`), way: 0, noise: 0 }));
  let laterMs = last[0];
  return servers
    .toReversed()
    .map(([timestampMs, serverCount]) => {
      const total = Math.round((totalNow * serverCount) / last[1]);
      const stride = 0.3 * Math.sqrt((laterMs - timestampMs) / (730 * dayMs));
      laterMs = timestampMs;
      const weights = lives.map((life, index) => {
        const weight = weightAt(life, timestampMs, last[0]);
        const walk = walks[index];
        if (walk === undefined || weight <= 0) return 0;
        walk.way += stride * walk.random.bell();
        walk.noise = 0.97 * walk.noise + 0.2 * walk.random.bell();
        const count = 1 + (weight * total) / 100;
        return weight * Math.max(0.2, 1 + walk.way + (0.4 * walk.noise) / Math.sqrt(count));
      });
      return divideByWeight(weights, total);
    })
    .reverse();
}

/** The expected weight of a share at a time. */
function weightAt({ weight, former }: Life, timestampMs: number, endMs: number): number {
  if (former === undefined) return weight;
  const { releasedMs, replacedMs } = former;
  if (releasedMs === undefined)
    return between(former.weight, weight, (timestampMs - pastStartMs) / (endMs - pastStartMs));
  if (timestampMs < releasedMs) return 0;
  const age = (timestampMs - releasedMs) / dayMs;
  if (replacedMs === undefined) return (weight * adoption(age)) / adoption((endMs - releasedMs) / dayMs);
  const life = (replacedMs - releasedMs) / dayMs;
  if (timestampMs < replacedMs) return (former.weight * adoption(age)) / adoption(life);
  const [since, decline] = [timestampMs - replacedMs, endMs - replacedMs];
  return between(former.weight, weight, 1 - (1 - since / decline) / (1 + since / dayMs / 30));
}

/** Share of those that will update that have done so after some days. */
function adoption(days: number): number {
  return days / (days + 14);
}

function between(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}

/** Divides a total into whole numbers that add up to it. */
function divideByWeight(weights: readonly number[], total: number): number[] {
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0);
  let countLeft = total;
  return weights.map((weight) => {
    const count = weightLeft <= 0 ? 0 : Math.min(countLeft, Math.round((countLeft * weight) / weightLeft));
    weightLeft -= weight;
    countLeft -= count;
    return count;
  });
}

/**
 * Renders the members `times` and `series` of the records. Shares that are 0 at all times of a record are not
 * named.
 */
function renderHistory(
  lives: readonly Life[],
  servers: readonly Point[],
  rows: readonly (readonly number[])[],
): JsonText[] {
  return Array.from({ length: Math.ceil(servers.length / timesPerRecord) }, (_, record) => {
    const part = [record * timesPerRecord, (record + 1) * timesPerRecord] as const;
    const times = servers.slice(...part).map(([timestampMs]) => timestampMs);
    const counts = rows.slice(...part);
    const series = lives.flatMap(({ group, name }, index) => {
      const values = counts.map((row) => row[index] ?? 0);
      if (values.every((value) => value === 0)) return [];
      return [group === '' ? { name, values } : { group, name, values }];
    });
    return historyMembers(times, series);
  });
}
