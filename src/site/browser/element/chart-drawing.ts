/** Draws a chart in the page at its size there, with the layout that pointers and keys need. */

import { layoutLine, lineInWords } from '../../../draw/line/line.ts';
import { renderLines } from '../../../draw/line/render-lines.ts';
import { noPointsIn, sentences } from '../../../draw/message.ts';
import { chartSubject } from '../../../draw/subject.ts';
import { loadPart } from '../load-part.ts';
import { type Drawing, type DrawingOptions, inPage } from './drawing.ts';
import type { LoadedChart } from './fetch-chart.ts';
import type { WantedChart } from './line-data.ts';
import { readLine } from './line-reading.ts';
import { readableLine } from './line-words.ts';
import { labelledSvg } from './svg-elements.ts';

/** Draws a chart, which may be the open slice of one, or a history. */
export function drawInPage(
  loaded: LoadedChart,
  wanted: WantedChart,
  place: Pick<DrawingOptions, 'width' | 'height' | 'isShown'>,
): Drawing {
  const { chart, comparison, history, shares } = loaded;
  return (
    (comparison ?? history)?.draw(wanted, { ...place, title: chart.title }) ??
    shares?.drawShares(chart, place) ??
    drawLine(loaded, { ...place, window: wanted.window })
  );
}

function drawLine(
  { chart, line, events, eventLinks }: LoadedChart,
  { window: range, width, height }: DrawingOptions,
): Drawing {
  const reading = line && readLine(line, { window: range, width });
  if (reading?.shape.pointCount === 0 && typeof range !== 'string')
    return { description: '', sentence: noPointsIn(range) };
  if (reading === undefined || reading.shape.pointCount === 0) {
    const sentence = sentences.none;
    return { description: `${chartSubject(chart)}: ${sentence}`, sentence };
  }
  const { shape } = reading;
  const nowMs = Date.now();
  const options = { width, height, nowMs, ...inPage };
  const columns = eventLinks?.eventColumnsOf(events, { from: shape.from, to: shape.to, width });
  const layout = layoutLine({ title: chart.title, shape, range, events: columns }, options);
  return {
    description: `${chartSubject(chart)}: ${lineInWords(shape, { range, nowMs })}`,
    svg: labelledSvg(renderLines(layout), layout.description),
    readable: readableLine(layout, reading, chart.settings),
    makeLinks: (actions) =>
      columns &&
      eventLinks?.makeEventLinks(
        { box: layout.box, marks: columns.place({ xAt: layout.time.xAt, options }) },
        actions,
      ),
    loadTable: async () => {
      const { makeTable } = await loadPart(import('./table-element.ts'));
      return makeTable(chart, { kind: 'line', shape }, { ...reading, events });
    },
  };
}
