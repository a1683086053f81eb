/** `/site.js`: the script of the pages of this site, which also work without it. */
import './embed.ts';
import { enableCharts } from './chart-page.ts';
import { importPart } from './element/fetch.ts';
import { enableLocalFormat } from './local-format.ts';
import { enableMenus, enableSections, markOldNumbers } from './page-parts.ts';
import { waitToRetry } from './retry.ts';
import { enableSearch } from './search.ts';
import { enableThemeSwitch } from './theme.ts';

// Must run before a chart is drawn.
enableLocalFormat();
enableThemeSwitch();
enableSearch();
enableEmbedding();
enableCharts();
enableMenus();
enableSections();
markOldNumbers();

/**
 * Makes the buttons of the Embed dialog work, including buttons added later. Without script they are hidden.
 */
function enableEmbedding(): void {
  document.addEventListener('click', ({ target }) => {
    const opener = target instanceof Element ? target.closest<HTMLButtonElement>('button[data-embed]') : null;
    if (opener === null) return;
    const load = () => importPart('embed-dialog', () => import('./embed-dialog.ts'));
    load()
      // The reader is waiting, so there is only one retry.
      .catch((lost) => waitToRetry(0, lost).then(load))
      .then(
        ({ openEmbedDialog }) => openEmbedDialog(opener),
        () => {
          if (confirm('The dialog could not be loaded. Load the page again?')) location.reload();
        },
      );
  });
}
