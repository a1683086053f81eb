/** `/explore.js`: the parts of `<plugin-chart>` that most visits do not need. They are loaded when a chart first wants one. */
import type { ChartContent, ChartToDraw } from '../../../draw/chart-content.ts';
import type { HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import type { PictureOptions } from '../../../draw/picture.ts';
import type { ShownWindow } from '../../state/shown-window.ts';
import { tableOf } from './chart-table.ts';
import { fetchHistory, type HistorySource } from './fetch-history.ts';
import { fetchNewestLine } from './fetch-old-line.ts';
import { type DrawnHistory, drawHistoryInPage, historyTable } from './history-view.ts';
import type { BandPlace, LineData, LineReading, WantedChart } from './line-data.ts';
import { readBand } from './read-band.ts';
import { tableElement } from './table-element.ts';

/** A history that has been fetched, with all that is done with it. */
export interface LoadedHistory {
  readonly wanted: WantedChart;
  /** Draws it; a sentence where there is nothing to draw. */
  readonly draw: (wanted: WantedChart, options: PictureOptions) => DrawnHistory | string;
  readonly makeTable: () => HTMLElement | undefined;
  /** Fetches the history of the inner shares of an outer one. */
  readonly open: (group: string) => Promise<LoadedHistory>;
}

/** Fetches a line from a server that has `/api/v1` alone; undefined if the answer has none. */
export function fetchOldLine(
  dataUrl: string,
  window: ShownWindow,
  nowMs: number,
): Promise<LineData | undefined> {
  return fetchNewestLine(dataUrl, window, nowMs);
}

/** Reads a line over a long window; undefined where its points are to be drawn. */
export function readBandLater(line: LineData, place: BandPlace): LineReading | undefined {
  return readBand(line, place);
}

/** Loads the history of a chart. */
export async function loadHistoryInPage(
  source: HistorySource,
  wanted: WantedChart,
  group?: string,
): Promise<LoadedHistory> {
  const found = await fetchHistory(source, wanted, group);
  const { title } = source.known.chart;
  const history: HistoryToDraw | undefined =
    found && group !== undefined ? { ...found, title: `${title} › ${group}` } : found;
  return {
    wanted,
    draw: (shown, options) => {
      const named =
        options.title === undefined || group === undefined
          ? options
          : { ...options, title: `${options.title} › ${group}` };
      return history === undefined ? 'No history yet.' : drawHistoryInPage(history, shown, named);
    },
    makeTable: () => history && tableElement(historyTable(history)),
    open: (name) => loadHistoryInPage(source, wanted, name),
  };
}

/** Makes the table of a chart; undefined for one without data. */
export function makeTable(
  chart: ChartToDraw,
  content: ChartContent,
  reading: LineReading | undefined,
): HTMLElement | undefined {
  const table = tableOf(chart, content, reading);
  return table && tableElement(table);
}
