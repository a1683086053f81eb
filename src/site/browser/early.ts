/** Applies the chosen theme before the page is painted. A separate script, because it blocks the page. */
import { readThemeChoice, showTheme } from './theme.ts';

showTheme(readThemeChoice());
