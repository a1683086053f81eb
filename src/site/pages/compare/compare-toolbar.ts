/** The toolbar of a comparison: its mode, its axis, its window of time. All are links to other states of the page. */
import { html } from 'ghtml';
import { axisKinds } from '../../../draw/line/line-layout.ts';
import { comparePath } from '../../address/paths.ts';
import {
  type CompareQuery,
  changedComparison,
  compareAddress,
  compareModes,
  compareParameters,
} from '../../state/compare-query.ts';
import { renderTimesForm } from '../times-form.ts';

const modeLabels = { absolute: 'Values', indexed: 'Indexed', sum: 'Sum' } as const;
const axisLabels = { linear: 'Linear', log: 'Logarithmic' } as const;

/** Renders the toolbar. A sum is stacked, which has one axis: the style hides the others. */
export function renderCompareToolbar(query: CompareQuery): string {
  const { range: _, from: __, to: ___, add: ____, ...others } = compareParameters(query);
  const times = renderTimesForm({
    path: comparePath,
    window: query.window,
    label: 'Range',
    addressOf: (window) => compareAddress({ ...query, window, add: '' }),
    others,
    lengthMs: Number.POSITIVE_INFINITY,
  });
  const link = (change: string, label: string, isCurrent: boolean) =>
    html`<a !${stateLink(query, change)}!${isCurrent ? ' aria-current="true"' : ''}>${label}</a>`;
  const modes = compareModes.map((mode) => link(`mode=${mode}`, modeLabels[mode], mode === query.mode));
  const axes = axisKinds.map((axis) => link(`axis=${axis}`, axisLabels[axis], axis === query.axis));
  return html`<div class="toolbar">
!${times}<div class="kinds"><nav class="ranges" aria-label="Mode">!${modes}</nav><nav class="ranges" aria-label="Axis">!${axes}</nav></div>
</div>
`;
}

/** The attributes of a link to a comparison with one change. */
export function stateLink(query: CompareQuery, change: string): string {
  return html`href="${compareAddress({ ...changedComparison(query, change), add: '' })}" data-set="${change}"`;
}
