/**
 * The command `npm run bench -- --beside COMMIT`: compares the working tree with a commit, both compiled, in
 * alternating rounds.
 */
import type { Build } from '../../build/commit-build.ts';
import { type Bench, messageOf } from '../question.ts';
import { cached, memory, notCached } from './answers.ts';
import { bytes, imports, ticks } from './imports.ts';
import type { Measure, Part } from './part.ts';
import { collecting } from './reports.ts';
import { besideTable, isGood, type Row, type RowRounds, type Sides } from './row.ts';

const parts: readonly Part[] = [cached, notCached, imports, ticks, bytes, memory, collecting];

/** Ids of all rows, in table order. */
export const rowIds: readonly string[] = parts.flatMap(({ rows }) => rows.map(({ id }) => id));

/** Figures of a row so far. */
interface Result {
  readonly row: Row;
  readonly pairs: Sides<number>[];
  failure?: string;
}

/** Measures the requested rows. If one side cannot run a row, the table says so. */
export async function compareBuilds(
  bench: Bench,
  builds: Sides<Build>,
  asked: { readonly rows: readonly string[]; readonly roundCount: number },
): Promise<{ readonly table: string; readonly isGood: boolean }> {
  const sides = {
    present: { ...bench, build: builds.present },
    earlier: { ...bench, build: builds.earlier },
  };
  const rows = parts.flatMap((part) => part.rows).filter(({ id }) => asked.rows.includes(id));
  const results = new Map(rows.map((row): [string, Result] => [row.id, { row, pairs: [] }]));
  const fail = (ids: readonly string[], error: unknown) => {
    for (const id of ids) {
      const result = results.get(id);
      if (result !== undefined) result.failure ??= messageOf(error);
    }
    bench.say(messageOf(error));
  };
  const measure: Measure = async (id, figures) => {
    const result = results.get(id);
    if (result === undefined || result.failure !== undefined) return;
    try {
      const pair = await figures();
      const { present, earlier } = pair;
      if (!Number.isFinite(present / earlier)) throw new Error('this system does not give the figures');
      result.pairs.push(pair);
      bench.say(
        `${id}: ${[present, earlier, present / earlier].map((figure) => figure.toPrecision(4)).join(', ')}`,
      );
    } catch (error) {
      fail([id], error);
    }
  };
  const rounds: (() => Promise<void>)[] = [];
  for (const part of parts) {
    const ids = part.rows.map(({ id }) => id).filter((id) => results.has(id));
    if (ids.length === 0) continue;
    try {
      const measureRound = await part.prepare(sides);
      rounds.push(() => measureRound(measure).catch((error: unknown) => fail(ids, error)));
    } catch (error) {
      fail(ids, error);
    }
  }
  for (let round = 1; round <= asked.roundCount; round++) {
    bench.say(`round ${round} of ${asked.roundCount}`);
    for (const measureRound of rounds) await measureRound();
  }
  const found: readonly RowRounds[] = [...results.values()];
  const names = { present: builds.present.name, earlier: builds.earlier.name };
  return { table: besideTable(found, names), isGood: found.every(isGood) };
}
