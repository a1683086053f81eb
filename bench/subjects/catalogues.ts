/** The catalogues that the questions are asked of. */
import { type Catalogue, slots } from '../data/catalogue.ts';

/** An ecosystem: 30,000 plugins, 360,000 charts, 60,000 lines of which 20,000 have a month of history. */
export const ecosystem: Catalogue = {
  name: 'ecosystem',
  pluginCount: 30_000,
  linesPerPlugin: 2,
  snapshotsPerPlugin: 10,
  slotCount: slots.month,
  fullHistoryEvery: 3,
};

const hundredPlugins = { pluginCount: 100, linesPerPlugin: 10, snapshotsPerPlugin: 2, fullHistoryEvery: 1 };

/** 100 plugins whose 1,000 lines have a month of history. */
export const monthLong: Catalogue = { ...hundredPlugins, name: 'month-long', slotCount: slots.month };

/** The same with a year. */
export const yearLong: Catalogue = { ...hundredPlugins, name: 'year-long', slotCount: slots.year };

/** The same with ten years: 175 million points. */
export const tenYearsLong: Catalogue = {
  ...hundredPlugins,
  name: 'ten-years-long',
  slotCount: slots.tenYears,
};
