/**
 * The page of a plugin without any data: what is awaited, and how to get it. It says no time of day, because
 * it is cached.
 */
import { html } from 'ghtml';
import type { PluginSummary } from '../../../model/plugin.ts';
import { aboutPath } from '../../address/paths.ts';

/** Renders the card. */
export function renderWaiting({ id, software }: PluginSummary, hasCharts: boolean): string {
  const report = JSON.stringify({ serverUUID: 'mine', playerAmount: 5, service: { id } });
  return html`<section class="card waiting" aria-labelledby="-waiting">
<h2 id="-waiting">Waiting for the first half hour</h2>
!${
    hasCharts
      ? ''
      : html`<p>This plugin has no charts yet. Those of its software come with <code>plugin-metrics add charts ${id}</code>.</p>
`
  }<p>Reports are counted when their half hour ends, at :00 and :30, and shown a few seconds later.</p>
<ol>
<li>Give your plugin the id <b>${id}</b> and the address of the collector of this server (<a href="${aboutPath}#add">reporters for Java and Node</a>).</li>
<li>Start a server with it. The first report comes after 3 to 6 minutes.</li>
<li>Try it without a server:
<pre>curl COLLECTOR/api/v2/data/${software.url} --data '${report}'</pre></li>
</ol>
</section>
`;
}
