/** `/site.js`: the script of the site's own pages. */
import './embed.ts';
