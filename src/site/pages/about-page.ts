/** The page about the numbers: facts that hold for every server, and totals of this store. */

import { html } from 'ghtml';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Links } from '../../model/links.ts';
import { aboutPath, comparePath, homePath, softwarePath } from '../address/paths.ts';
import { countWords, nameHtml, timeTag } from './html.ts';
import { pageBody, renderPage } from './page.ts';
import { type Totals, totalsOf } from './totals.ts';

/** Endpoint of the page about the numbers. */
export const aboutEndpoint: Endpoint = {
  path: aboutPath,
  ask: ({ links }) => ({
    ...pageBody(aboutPath, links),
    async *parts(reader) {
      const totals = totalsOf(await reader.read((view) => view.listSoftwareNow()));
      yield renderAboutPage(totals, links);
    },
  }),
};

/** Renders the document. */
function renderAboutPage(totals: Totals, links: Links): string {
  const title = 'About these numbers';
  const description =
    'What is measured, where it comes from, how a plugin is added, and how to use the data.';
  const server = links.server === '' ? 'http://127.0.0.1:8080' : links.server;
  return renderPage(
    { title, description, links, canonicalPath: aboutPath },
    html`<h1>${title}</h1>
<div class="prose">
!${measured(totals)}<h2 id="words">What the words mean</h2>
<dl>
<dt>Servers</dt><dd>The servers that reported a plugin in the newest interval, usually half an hour. The number of one plugin counts each of its servers once.</dd>
<dt>Players</dt><dd>The players who were on these servers when they reported. Someone on a network may be counted on its proxy and on the server behind it.</dd>
<dt>All servers</dt><dd>A plugin with this mark stands for a whole software: it counts each of its servers once, whatever plugins they have. Totals are made of these numbers. If a software has none, its plugin with the most servers stands for it, and the total says “at least”.</dd>
<dt>7 days</dt><dd>The mean of the last seven days compared with that of the seven days before, both as means of whole days in UTC up to the plugin’s newest number.</dd>
</dl>
<h2 id="origin">Where the numbers come from</h2>
<p>From reports of running servers, each of which says how many players it has, and which versions and settings it uses. They are added up before they get here: these pages have no data of single servers or players. The people who run this server decide which reports, archives or other servers fill it. Nothing that is sent to these pages changes a number.</p>
<h2 id="add">Add a plugin</h2>
<p>Ask the people who run this server. They register it with one command, which prints the id that the plugin then reports with. The reporters for Java and for Node take this id and the address of the collector.</p>
<pre>plugin-metrics add plugin --name "My plugin" --owner "My name" --software !${exampleSoftware(totals)}</pre>
<h2 id="use">Use the data</h2>
<p><strong>On a website or in a README:</strong> “Embed” beside the title of each chart has the code for a picture, a badge or a live chart.</p>
<p><strong>In a spreadsheet:</strong> “CSV” in the menu beside the title.</p>
<p><strong>In a program:</strong> all of it as JSON, without a key, such as <a href="/api/v1/plugins">all plugins</a>. <a href="/openapi.json">The description of the interface</a> (OpenAPI) names every address.</p>
<pre>curl ${server}/api/v2/plugins?limit&#61;10</pre>
<h2 id="privacy">Privacy</h2>
<p>These pages set no cookies, load nothing from other servers and do not track anybody. A theme that you choose is kept in your browser alone.</p>
</div>
`,
  );
}

function measured({ pluginCount, software, newestTime }: Totals): string {
  if (pluginCount === 0)
    return html`<p class="lead">This server has no plugins yet.</p>
`;
  const links = software.map(
    ({ url, name: label, pluginCount: count }) =>
      html`<li><a href="${softwarePath(url)}">!${nameHtml(label)}</a> <span class="muted">${countWords(count, 'plugin')}</span></li>
`,
  );
  const asOf = newestTime === undefined ? '' : ` The newest number is of ${timeTag(newestTime)}.`;
  return html`<p class="lead">This server has charts of <a href="${homePath}">${countWords(pluginCount, 'plugin')}</a> for ${countWords(software.length, 'software', 'kinds of software')}: how many servers and players have them, and what else the plugins report. Lines of several plugins can be <a href="${comparePath}">compared</a>.!${asOf}</p>
<ul>
!${links}</ul>
`;
}

function exampleSoftware({ software }: Totals): string {
  return software[0]?.url ?? 'bukkit';
}
