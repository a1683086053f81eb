/** Constants of both stores for collecting. */
import { chartTypes } from '../model/chart-types.ts';
import { shapeOf } from '../model/data-shapes.ts';

/** The texts of data that are empty. */
export const emptyDataTexts: readonly string[] = [
  ...new Set(Object.keys(chartTypes).map((typeName): string => shapeOf(typeName).emptyData)),
];

/** The most charts of a page of `StoreWriter.listStoredCharts`. */
export const storedChartsPerPage = 256;
