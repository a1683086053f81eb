/** Shows the chosen theme before the page is painted. Pages wait for it, so it is a script of its own. */
import { readThemeChoice, showTheme } from './theme.ts';

showTheme(readThemeChoice());
