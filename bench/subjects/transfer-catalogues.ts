/** What questions 12 and 13 move: the same lines with a long and a short history. */
import { type Catalogue, slots } from '../data/catalogue.ts';

/** 21 million points. */
export const largeTransfer: Catalogue = {
  name: 'large-transfer',
  pluginCount: 12,
  linesPerPlugin: 10,
  snapshotsPerPlugin: 2,
  slotCount: slots.tenYears,
  fullHistoryEvery: 1,
};

/** A tenth of that. */
export const smallTransfer: Catalogue = { ...largeTransfer, name: 'small-transfer', slotCount: slots.year };

/** How many points a catalogue has, but for the few that are missing. */
export function pointCountOf(catalogue: Catalogue): number {
  return catalogue.pluginCount * catalogue.linesPerPlugin * catalogue.slotCount;
}
