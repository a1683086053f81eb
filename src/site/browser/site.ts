/** `/site.js`: the script of the site's own pages, which work without it. */
import './embed.ts';
import { enableCharts } from './chart-page.ts';
import { importPart } from './element/fetch.ts';
import { enableLocalFormat } from './local-format.ts';
import { enableMenus, enableSections, markOldNumbers } from './page-parts.ts';
import { waitToRetry } from './retry.ts';
import { enableSearch } from './search.ts';
import { enableThemeSwitch } from './theme.ts';

// Before a chart is drawn.
enableLocalFormat();
enableThemeSwitch();
enableSearch();
enableEmbedding();
enableCharts();
enableMenus();
enableSections();
markOldNumbers();

/** Makes the buttons that open the Embed dialog work, those too that come later. Without script they are not shown. */
function enableEmbedding(): void {
  document.addEventListener('click', ({ target }) => {
    const opener = target instanceof Element ? target.closest<HTMLButtonElement>('button[data-embed]') : null;
    if (opener === null) return;
    const load = () => importPart('embed-dialog', () => import('./embed-dialog.ts'));
    load()
      // The reader waits for it, so it is tried twice alone.
      .catch((lost) => waitToRetry(0, lost).then(load))
      .then(
        ({ openEmbedDialog }) => openEmbedDialog(opener),
        () => {
          if (confirm('The dialog could not be loaded. Load the page again?')) location.reload();
        },
      );
  });
}
