/** `/site.js`: the script of the site's own pages, which work without it. */
import './embed.ts';
import { enableCharts } from './chart-page.ts';
import { enableSearch } from './list-search.ts';
import { enableLocalFormat } from './local-format.ts';
import { LostRequest, waitToRetry } from './retry.ts';
import { enableThemeSwitch } from './theme.ts';

// Before a chart is drawn.
enableLocalFormat();
enableThemeSwitch();
enableSearch();
enableEmbedding();
enableCharts();

/** Makes the buttons that open the Embed dialog work, those too that come later. Without script they are not shown. */
function enableEmbedding(): void {
  document.addEventListener('click', ({ target }) => {
    const opener = target instanceof Element ? target.closest<HTMLButtonElement>('button[data-embed]') : null;
    if (opener === null) return;
    const load = () => import('./embed-dialog.ts');
    // The reader waits for it, so it is tried twice alone.
    const loadAgain = (cause: unknown) => waitToRetry(0, new LostRequest(null, cause)).then(load);
    load()
      .catch(loadAgain)
      .then(
        ({ openEmbedDialog }) => openEmbedDialog(opener),
        () => {
          if (confirm('The dialog could not be loaded. Load the page again?')) location.reload();
        },
      );
  });
}
