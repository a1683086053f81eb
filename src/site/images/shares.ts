/** `/embed/shares.svg?charts=1337:os,42:os` and `.png`: charts of shares of one form, added up by name, now or over time. */
import { drawChart, drawHistory } from '../../draw/chart.ts';
import { drawMessage } from '../../draw/message.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { loadHistory } from '../charts/load-history.ts';
import { findSharesCharts, loadSharesSum, tooManyNames } from '../charts/load-shares-sum.ts';
import { storeSource } from '../charts/store-source.ts';
import type { StateOf } from '../state/fields.ts';
import { sharesFields, sharesInUse } from '../state/pictures.ts';
import { type DrawnLook, pictureBody, pictureExtensions } from './picture.ts';

/** The endpoints, one for each extension. */
export const sharesImages: readonly Endpoint[] = pictureExtensions.map((extension) => ({
  path: `/embed/shares.${extension}`,
  ask: ({ searchParams: query }) =>
    pictureBody({
      path: '/embed/shares',
      extension,
      query,
      fields: sharesFields,
      inUse: sharesInUse,
      draw: drawSharesImage,
    }),
}));

/** Loads the shares and draws them; rejects as {@link findSharesCharts} does. */
async function drawSharesImage(
  reader: MetricsReader,
  {
    charts,
    view: shown,
    unit,
    group,
    window: range,
    width,
    options,
  }: StateOf<typeof sharesFields> & DrawnLook,
): Promise<string> {
  return reader.read(async (view) => {
    const source = storeSource(view);
    const added = await findSharesCharts(source, charts);
    const { title } = added;
    if (shown === 'now') {
      const sum = await loadSharesSum(source, added);
      return sum === undefined
        ? drawMessage(tooManyNames, { title, ...options })
        : drawChart({ ...sum, group }, options);
    }
    const history = await loadHistory(source, added, { range, width, group });
    if (history === undefined) return drawMessage('No history yet.', { title, ...options });
    return drawHistory(history, { ...options, range, unit, areLines: shown === 'lines' });
  });
}
