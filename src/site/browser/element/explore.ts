/** `/explore.js`: the parts of `<plugin-chart>` that most visits do not need. They are loaded when a chart first wants one. */
import { openSlice } from '../../../draw/chart.ts';
import type { ChartContent, ChartToDraw } from '../../../draw/chart-content.ts';
import type { HistoryToDraw } from '../../../draw/history/history-to-draw.ts';
import type { LinesLayout } from '../../../draw/line/line-layout.ts';
import type { PictureOptions } from '../../../draw/picture.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { tableOf } from './chart-table.ts';
import { eventColumnsOf, eventLinks, type MarkedPlot, markLines } from './event-links.ts';
import { fetchHistory, type HistorySource } from './fetch-history.ts';
import { type DrawnHistory, drawHistoryInPage, historyTable } from './history-view.ts';
import type { BandPlace, LineData, LineReading, WantedChart } from './line-data.ts';
import { readBand } from './read-band.ts';
import { drawShares } from './shares-drawing.ts';
import { addSliceCursor } from './slice-cursor.ts';
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

/** Reads a line over a long window; undefined where its points are to be drawn. */
export function readBandLater(line: LineData, place: BandPlace): LineReading | undefined {
  return readBand(line, place);
}

/** Adds the events of a plugin to a picture of lines; undefined if none is in its range. */
export function markEvents(
  layout: LinesLayout,
  events: readonly PluginEvent[],
): ReturnType<typeof markLines> {
  return markLines(layout, events);
}

/** Makes the links of marks. */
export function makeEventLinks(plot: MarkedPlot, actions: Parameters<typeof eventLinks>[1]): HTMLElement {
  return eventLinks(plot, actions);
}

/** Loads the history of a chart. */
export async function loadHistoryInPage(
  source: HistorySource & { readonly events: readonly PluginEvent[] },
  wanted: WantedChart,
  group?: string,
): Promise<LoadedHistory> {
  const found = await fetchHistory(source, wanted, group);
  const title = source.known.chart.title + (group === undefined ? '' : ` › ${group}`);
  const history: HistoryToDraw | undefined = found && {
    ...found,
    title,
    events: eventColumnsOf(source.events, { from: found.from, to: found.to, width: wanted.width }),
  };
  return {
    wanted,
    draw: (shown, options) => {
      const named =
        options.title === undefined || group === undefined
          ? options
          : { ...options, title: `${options.title} › ${group}` };
      return history === undefined ? 'No history yet.' : drawHistoryInPage(history, shown, named);
    },
    makeTable: () => history && tableElement(historyTable(history, source.events)),
    open: (name) => loadHistoryInPage(source, wanted, name),
  };
}

/** Draws a chart of any form but a line. */
export function drawSharesLater(...drawing: Parameters<typeof drawShares>): ReturnType<typeof drawShares> {
  return drawShares(...drawing);
}

/** Opens a slice of a drilldown pie; undefined for one without parts. */
export function openSliceLater(chart: ChartToDraw, index: number): ChartToDraw | undefined {
  return openSlice(chart, index);
}

/** Adds tooltips and keys to a drawn pie. */
export function addCursorLater(pie: Parameters<typeof addSliceCursor>[0]): void {
  addSliceCursor(pie);
}

/** Makes the table of a chart; undefined for one without data. */
export function makeTable(
  chart: ChartToDraw,
  content: ChartContent,
  {
    reading,
    events,
  }: { readonly reading?: LineReading | undefined; readonly events: readonly PluginEvent[] },
): HTMLElement | undefined {
  const table = tableOf(chart, content, reading && { ...reading, events });
  return table && tableElement(table);
}
