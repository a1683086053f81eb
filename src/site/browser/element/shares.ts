/** Pies, maps and bars in the page: their newest data, or their history. */
import {
  type ChartToDraw,
  contentOf,
  dayOfData,
  describeContent,
  openSlice,
} from '../../../draw/chart-content.ts';
import { formatExact, formatShare } from '../../../draw/format.ts';
import { drawBars } from '../../../draw/shares/bars.ts';
import { drawPie } from '../../../draw/shares/pie.ts';
import { areVersionNames } from '../../../draw/shares/share-colours.ts';
import { rankShares } from '../../../draw/shares/slices.ts';
import { isSamePeriod } from '../../../model/window.ts';
import { shareTest } from '../../state/share-filter.ts';
import { addSharesCharts } from './added-shares.ts';
import { type Drawing, type DrawingPlace, inPage, type LoadedChart, type WantedChart } from './drawing.ts';
import { type FetchedChart, loadPart } from './fetch.ts';
import { addSliceCursor } from './slice-cursor.ts';

/**
 * Loads a chart of any form but a line, or the sum of several: its history or its ladder, if that is wanted.
 * The newest data are known.
 */
export async function loadShares(
  fetched: readonly FetchedChart[],
  loaded: WantedChart,
  isSum: boolean,
): Promise<LoadedChart> {
  const [only] = fetched;
  const known = isSum || only === undefined ? addSharesCharts(fetched) : { ...only, charts: [only] };
  if (loaded.view === 'ladder') {
    const { loadLadder } = await loadPart('ladder', () => import('./ladder.ts'));
    return loadLadder(known);
  }
  const isHistory = ({ view }: WantedChart) =>
    (view === 'history' || view === 'lines') && known.chart.form !== 'other';
  const drawHistory = isHistory(loaded)
    ? await (await loadPart('history', () => import('./history.ts'))).loadSharesHistory(known, loaded)
    : undefined;
  return {
    title: known.chart.title,
    hasLadder: areVersionNames(known.chart.colours ?? []),
    hasAll: (wanted) =>
      wanted.view !== 'ladder' &&
      (!isHistory(wanted) ||
        (drawHistory !== undefined &&
          isSamePeriod(wanted.window, loaded.window) &&
          wanted.group === loaded.group &&
          wanted.open?.name === loaded.open?.name)),
    draw: (wanted, place) =>
      isHistory(wanted) && drawHistory !== undefined
        ? drawHistory(wanted, place)
        : drawShares(known.chart, wanted, place),
  };
}

function drawShares(
  whole: ChartToDraw,
  { open, group, filter: chosen }: WantedChart,
  { title, ...size }: DrawingPlace,
): Drawing {
  const named = { ...whole, title, group };
  const opened = open && openSlice(named, open.index);
  const chart = opened ?? named;
  // The filter is for the outer shares; an open slice has other names.
  const filter = opened === undefined ? chosen : undefined;
  const isShown = shareTest(filter);
  const content = contentOf(chart);
  const nowMs = Date.now();
  const description = describeContent(content, { chart, nowMs, isShown });
  const caption = { title: chart.title, description, day: dayOfData(chart, { nowMs }) };
  const options = { ...size, isShown, ...inPage };
  const about = { description, isOpened: opened !== undefined };
  switch (content.kind) {
    case 'pie': {
      const words = rankShares(content.shares).map(({ entry: { name, value }, part }) => {
        return { strong: name, rest: [`${formatExact(value)} · ${formatShare(part)}`] };
      });
      return {
        ...about,
        svg: drawPie(content, caption, options),
        connect: (svg, actions) =>
          addSliceCursor(
            { svg, words, filter, canOpen: (index) => openSlice(chart, index) !== undefined },
            { ...actions, choose: opened === undefined ? actions.choose : undefined },
          ),
        table: ({ shareTable }) => shareTable(chart.title, content.shares),
      };
    }
    case 'bars':
      return {
        ...about,
        svg: drawBars(content, caption, options),
        table: ({ shareTable }) => shareTable(chart.title, content.shares, content.partNames),
      };
    case 'none':
      return {
        ...about,
        sentence: content.sentence,
        hasPast: chart.past?.isKept === true,
        table: () => ({ title: chart.title, note: content.sentence, columns: [], rows: [] }),
      };
  }
}
