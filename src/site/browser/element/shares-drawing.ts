/** Pies, maps and bars in the page. */
import { openSlice } from '../../../draw/chart.ts';
import { type ChartToDraw, contentOf } from '../../../draw/chart-content.ts';
import { dayOfData, describeContent } from '../../../draw/describe.ts';
import { sentences } from '../../../draw/message.ts';
import { drawBars } from '../../../draw/shares/bars.ts';
import { drawPie } from '../../../draw/shares/pie.ts';
import { shareTest } from '../../state/share-filter.ts';
import { type Drawing, type DrawingPlace, inPage, type LoadedChart, type WantedChart } from './drawing.ts';
import { addSliceCursor, sliceWords } from './slice-cursor.ts';

/** A chart of any form but a line, with its newest data. */
export function sharesChart(chart: ChartToDraw): Omit<LoadedChart, 'lengthMs'> {
  const { form, title } = chart;
  return { form, title, hasAll: () => true, draw: (wanted, place) => drawShares(chart, wanted, place) };
}

function drawShares(
  whole: ChartToDraw,
  { open, filter: chosen }: WantedChart,
  { title, ...size }: DrawingPlace,
): Drawing {
  const named = { ...whole, title };
  const opened = open && openSlice(named, open.index);
  const chart = opened ?? named;
  // An open slice has other names.
  const filter = opened === undefined ? chosen : undefined;
  const isShown = shareTest(filter);
  const content = contentOf(chart);
  const nowMs = Date.now();
  const description = describeContent(content, { chart, range: 'all', nowMs, isShown });
  const caption = { title: chart.title, description, day: dayOfData(chart, { nowMs }) };
  const options = { ...size, isShown, ...inPage };
  const about = { description, isOpened: opened !== undefined };
  switch (content.kind) {
    case 'pie':
      return {
        ...about,
        svg: drawPie(content.slices, caption, options),
        connect: (svg, { tip, open: openInner, choose }) =>
          addSliceCursor(
            {
              svg,
              words: sliceWords(content.slices),
              canOpen: (index) => openSlice(chart, index) !== undefined,
            },
            { tip, open: openInner, filter, choose: opened === undefined ? choose : undefined },
          ),
        tableOf: ({ shareTable }) => shareTable(chart.title, content.slices),
      };
    case 'bars':
      return {
        ...about,
        svg: drawBars(content, caption, options),
        tableOf: ({ shareTable }) => shareTable(chart.title, content.bars),
      };
    case 'none':
    case 'unknown':
      return { ...about, sentence: sentences[content.kind] };
    case 'line':
      return about;
  }
}
