/** Finds releases among the events of a plugin, their versions, and how fast the versions spread. */

import { type Columns, compareText } from '../model/columns.ts';
import type { PluginEvent } from '../model/plugin-event.ts';
import { addToSum, isAtLeast, isVersion, versionKey } from '../model/versions.ts';
import { dayMs, dayStart, firstFrom } from '../model/window.ts';
import { ratio } from './line-days.ts';
import { sumBetween } from './version-lines.ts';

/** A release event with its version. */
export interface Release extends PluginEvent {
  readonly version: string;
}

/** Spread of a release in the history of versions. */
export interface ReleaseSpread {
  /** Share of the release 7 days later; null while that day lies ahead. */
  readonly '7d': number | null;
  readonly '30d': number | null;
  /** Whole days until this and newer versions first had at least half; null if they have not yet. */
  readonly halfAfterDays: number | null;
}

/** Splits a title into words without surrounding punctuation. */
export function wordsIn(title: string): readonly string[] {
  const words = title.split(/\s+/).map((word) => word.replace(/^[()[\],:;!.]+|[()[\],:;!.]+$/g, ''));
  return words.filter((word) => word !== '');
}

/** Names in the history of versions that titles may refer to, by {@link versionKey}. */
export type KnownVersions = ReadonlyMap<string, readonly string[]>;

/**
 * Finds the version of an event: a name from the history that appears in the title, or else the version at
 * the start of the title.
 */
export function versionInTitle(title: string, pluginName: string, known: KnownVersions): string | undefined {
  const words = wordsIn(title);
  for (const word of words) {
    const names = known.get(versionKey(word)) ?? [];
    if (names.length > 0) return names.includes(word) ? word : [...names].sort(compareText)[0];
  }
  const named = wordsIn(pluginName).map((word) => word.toLowerCase());
  const isNamed = named.every((word, index) => words[index]?.toLowerCase() === word);
  const first = words[isNamed ? named.length : 0];
  return first !== undefined && isVersion(first) ? first.replace(/^v/i, '') : undefined;
}

/** Spread of a release in the part of the history read so far. */
interface Spreading {
  readonly day: number;
  /** Index of the version in `#versions`; undefined if the name is not a version. */
  readonly rank: number | undefined;
  readonly shares: Map<number, number | null>;
  halfAfterDays: number | null;
}

/** Maximum number of names in the cache of comparisons. */
const maxNames = 10_000;

/**
 * Follows releases through the history of versions. Parts must be added in ascending order, from the day of
 * the first release.
 */
export class ReleaseSpreads {
  /** Releases by version key. */
  readonly #releases = new Map<string, Spreading[]>();
  readonly #all: readonly Spreading[];
  /** Versions of the releases, oldest first. */
  readonly #versions: readonly string[];
  readonly #reached = new Map<string, { readonly key: string; readonly reach: number }>();
  /**
   * The current day and its total; its sums by version key; and its sums by reach, which is the number of
   * release versions that a name equals or exceeds.
   */
  #day = Number.NaN;
  #total = 0;
  #own = new Map<string, number>();
  #reach: Float64Array;

  constructor(releases: readonly Release[]) {
    const versions = [...new Set(releases.map(({ version }) => version))].filter(isVersion);
    this.#versions = versions.sort((a, b) => Number(isAtLeast(a, b)) - Number(isAtLeast(b, a)));
    this.#reach = new Float64Array(versions.length + 1);
    this.#all = releases.map(({ time, version }) => {
      const one: Spreading = {
        day: dayStart(time),
        rank: isVersion(version) ? this.#versions.findIndex((other) => isAtLeast(other, version)) : undefined,
        shares: new Map(),
        halfAfterDays: null,
      };
      const key = versionKey(version);
      this.#releases.set(key, [...(this.#releases.get(key) ?? []), one]);
      return one;
    });
  }

  /** Adds a part of the history; times from `until` on are ignored, because their day is not complete. */
  add({ times, series }: Columns, until: number): void {
    const end = firstFrom(times, until);
    for (let at = 0; at < end; ) {
      const day = dayStart(times[at] ?? 0);
      const next = firstFrom(times, day + dayMs);
      if (day !== this.#day) {
        this.finish();
        this.#day = day;
      }
      for (const { group, name, values } of series) {
        const sum = sumBetween(values, at, next);
        if (sum !== 0) this.#addSum(group ?? name, sum);
      }
      at = next;
    }
  }

  #addSum(name: string, sum: number): void {
    let known = this.#reached.get(name);
    if (known === undefined) {
      if (this.#reached.size === maxNames) this.#reached.clear();
      const older = this.#versions.findIndex((version) => !isAtLeast(name, version));
      known = { key: versionKey(name), reach: older === -1 ? this.#versions.length : older };
      this.#reached.set(name, known);
    }
    const { key, reach } = known;
    this.#total += sum;
    this.#reach[reach] = (this.#reach[reach] ?? 0) + sum;
    if (this.#releases.has(key)) addToSum(this.#own, key, sum);
  }

  /** Ends the current day. */
  finish(): void {
    for (const [key, releases] of this.#releases)
      for (const release of releases) this.#note(release, this.#own.get(key) ?? 0);
    this.#total = 0;
    this.#own = new Map();
    this.#reach.fill(0);
  }

  /** Records the share of a release on the current day. */
  #note(release: Spreading, own: number): void {
    const dayCount = (this.#day - release.day) / dayMs;
    if (!(dayCount >= 0) || this.#total === 0) return;
    if (dayCount === 7 || dayCount === 30) release.shares.set(dayCount, ratio(own / this.#total));
    if (release.halfAfterDays !== null) return;
    let newer = own;
    if (release.rank !== undefined) {
      newer = 0;
      for (let reach = release.rank + 1; reach < this.#reach.length; reach++)
        newer += this.#reach[reach] ?? 0;
    }
    if (newer / this.#total >= 0.5) release.halfAfterDays = dayCount;
  }

  /** True once later days cannot change the result. */
  get isDone(): boolean {
    return this.#all.every(
      ({ day, halfAfterDays }) => halfAfterDays !== null && this.#day > day + 30 * dayMs,
    );
  }

  /** Spread of each release, in the order of the releases. */
  get spreads(): readonly ReleaseSpread[] {
    return this.#all.map(({ shares, halfAfterDays }) => ({
      '7d': shares.get(7) ?? null,
      '30d': shares.get(30) ?? null,
      halfAfterDays,
    }));
  }
}
