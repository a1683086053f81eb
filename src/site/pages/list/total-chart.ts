/** The charts above a list: all servers of a software, or the plugins of the list added up. */

import { html } from 'ghtml';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { type PluginAddress, pluginPath } from '../../address/paths.ts';
import { compareAddress } from '../../state/compare-query.ts';
import { linesPictureAddress, overviewPictureAddress } from '../../state/pictures.ts';
import { usualRange as window } from '../../state/shown-window.ts';

/** Sizes for wide windows and for phones. */
const sizes = { wide: { width: 1120, height: 240 }, narrow: { width: 400, height: 220 } } as const;

const narrowWindow = '(max-width: 600px)';

/** A picture of servers and players of a global plugin, which leads to its page. */
export function globalChart(plugin: PluginAddress): string {
  const title = 'All servers and their players';
  const picture = (size: Size) =>
    overviewPictureAddress(plugin.id, 'svg', { window, look: { title, ...size } });
  return total({ href: pluginPath(plugin), alt: title, picture });
}

/**
 * A picture of the servers of plugins, added up, which leads to their comparison.
 * @param plugins those with the most servers first; beyond the first {@link maxComparedLines} they are left out, and the title says so.
 */
export function sumChart(plugins: readonly PluginSummary[]): string {
  const shown = plugins.slice(0, maxComparedLines);
  // The chart of one plugin is on its page.
  if (shown.length < 2) return '';
  const which = shown.length < plugins.length ? `the ${shown.length} largest plugins` : 'all plugins';
  const title = `Servers of ${which}, added up`;
  const charts = shown.map(({ id }) => ({ pluginId: id, chartId: 'servers' }));
  const picture = (size: Size) =>
    linesPictureAddress('svg', { charts, mode: 'sum', axis: 'linear', window, look: { title, ...size } });
  return total({ href: compareAddress({ charts, mode: 'sum', window }), alt: title, picture });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function total(chart: {
  readonly href: string;
  readonly alt: string;
  readonly picture: (size: Size) => string;
}): string {
  const { wide, narrow } = sizes;
  return html`<a class="total" href="${chart.href}"><picture><source media="${narrowWindow}" srcset="${chart.picture(narrow)}" width="${narrow.width}" height="${narrow.height}"><img src="${chart.picture(wide)}" width="${wide.width}" height="${wide.height}" alt="${chart.alt}, ${window.replace('d', ' days')}"></picture></a>
`;
}
