/** The ladder of a chart of versions in the page. */
import { chartSubject, formatShare } from '../../../draw/format.ts';
import { drawLadder, ladderCaption, notVersions, type Rung, rungsOf } from '../../../draw/shares/ladder.ts';
import { sharesIn } from '../../../model/chart-forms.ts';
import { loadVersions } from '../../../query/load-versions.ts';
import type { SharesChart } from './added-shares.ts';
import { inPage, type LoadedChart } from './drawing.ts';

/** Loads a chart as a ladder; a sentence says so if it is no chart of versions. */
export async function loadLadder({ source, charts, span, chart }: SharesChart): Promise<LoadedChart> {
  const days = await loadVersions(source, { charts, span, shares: sharesIn(chart.form, chart.data) });
  return {
    title: chart.title,
    hasLadder: true,
    hasAll: ({ view }) => view === 'ladder',
    draw({ group }, { title, ...size }) {
      const named = { ...chart, title };
      if (days === undefined)
        return { description: `${chartSubject(named)}: ${notVersions}`, sentence: notVersions };
      const rungs = rungsOf(days, group);
      const caption = ladderCaption(rungs, { ...named, heading: title, at: days.now.at });
      return {
        description: caption.description,
        svg: drawLadder(rungs, caption, { ...size, ...inPage }),
        table: () => ({
          title,
          note: caption.day ?? '',
          columns: ['Name', 'Share', 'Or newer', '90 days before'],
          rows: rungs.map(rowOf),
        }),
      };
    },
  };
}

function rowOf({ name, share, atLeast, before }: Rung): readonly string[] {
  return [name, formatShare(share), formatShare(atLeast), before === undefined ? '–' : formatShare(before)];
}
