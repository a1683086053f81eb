/** The toolbar of a comparison: its mode, its axis, its window of time. All are links to other states of the page. */
import { html } from 'ghtml';
import { axisKinds } from '../../../draw/line/line-layout.ts';
import { comparePath } from '../../address/paths.ts';
import {
  type CompareQuery,
  compareAddress,
  compareModes,
  compareParameters,
} from '../../state/compare-query.ts';
import { renderTimesForm } from '../times-form.ts';

const modeLabels = { absolute: 'Values', indexed: 'Indexed', sum: 'Sum' } as const;
const axisLabels = { linear: 'Linear', log: 'Logarithmic' } as const;

/** Renders the toolbar. A sum is stacked, which has one axis. */
export function renderCompareToolbar(query: CompareQuery): string {
  const { range: _, from: __, to: ___, add: ____, ...others } = compareParameters(query);
  const times = renderTimesForm({
    path: comparePath,
    window: query.window,
    label: 'Range',
    addressOf: (window) => compareAddress({ ...query, window, add: '' }),
    others,
    lengthMs: Number.POSITIVE_INFINITY,
    isApplied: false,
  });
  const modes = compareModes.map((mode) =>
    link(modeLabels[mode], { ...query, mode }, { change: `mode=${mode}`, isCurrent: mode === query.mode }),
  );
  const axes = axisKinds.map((axis) =>
    link(axisLabels[axis], { ...query, axis }, { change: `axis=${axis}`, isCurrent: axis === query.axis }),
  );
  const axisLinks = query.mode === 'sum' ? '' : html`<nav class="ranges" aria-label="Axis">!${axes}</nav>`;
  return html`<div class="toolbar">
!${times}<div class="kinds"><nav class="ranges" aria-label="Mode">!${modes}</nav>!${axisLinks}</div>
</div>
`;
}

/** A link to another state, with what it changes in `data-set`. */
function link(
  label: string,
  linked: CompareQuery,
  { change, isCurrent }: { readonly change: string; readonly isCurrent: boolean },
): string {
  const current = isCurrent ? ' aria-current="true"' : '';
  return html`<a href="${compareAddress({ ...linked, add: '' })}" data-set="${change}"!${current}>${label}</a>`;
}
