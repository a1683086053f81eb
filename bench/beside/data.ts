/** Data for both builds: a catalogue as large as a real ecosystem, with histories. */
import { archive } from '../../catalogues/records.ts';
import { laterRecords, recordsOf } from '../data/archive.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { type Histories, historyRecords, recordsAt } from '../data/histories.ts';
import { slots } from '../data/line-points.ts';
import { keptLines } from '../harness/stores.ts';
import type { Bench } from '../question.ts';

/**
 * 30,000 plugins, a third of them with twelve charts; a fifth of their 20,000 lines has a month of points,
 * the rest a day.
 */
export const catalogue: Catalogue = {
  name: 'beside',
  pluginCount: 30_000,
  chartedPluginCount: 10_000,
  linesPerPlugin: 2,
  piesPerPlugin: 10,
  slotCount: slots.month,
  fullHistoryEvery: 5,
};

/** One more plugin with 40 pies, each with a year of hourly values. */
export const histories: Histories = {
  pluginId: 30_001,
  firstUid: 1_000_000,
  chartCount: 40,
  shareCount: 30,
  timeCount: 8760,
};

/** Renders the catalogue and the histories as one archive. */
export function* besideArchive(lines: Catalogue, pies: Histories): Generator<string> {
  yield* archive(bothRecords(), 2);
  function* bothRecords() {
    yield* recordsOf(lines);
    yield* historyRecords(pies);
  }
}

/** Returns the path of a store with both, built by one side; the store is read-only. */
export function wholeStore(side: Bench): Promise<string> {
  const key = { catalogue, histories };
  return keptLines(side, catalogue.name, key, () => besideArchive(catalogue, histories));
}

const tickPluginCount = 750;

/** Renders a tick: a new point for each of 1,500 lines, and new shares for each pie. */
export function tickArchive(index: number): Iterable<string> {
  return archive(tickRecords(index), 2);
}

function* tickRecords(index: number): Generator<string> {
  yield* laterRecords({ ...catalogue, pluginCount: tickPluginCount }, { firstSlot: index, slotCount: 1 });
  yield* recordsAt(histories, index);
}
