/** `/site.js`: the script of the site's own pages, which work without it. */
import './embed.ts';
import { enableEmbedding } from './embed-dialog.ts';
import { enableSearch } from './list-search.ts';
import { enableLocalFormat } from './local-format.ts';
import { enablePageToolbar } from './page-toolbar.ts';
import { enableThemeSwitch } from './theme-switch.ts';

// Only its own page needs it.
if (document.getElementById('compared')) void import('./compare/compare.ts');
// Before a chart is drawn.
enableLocalFormat();
enableThemeSwitch();
enableSearch();
enableEmbedding();
enablePageToolbar();
