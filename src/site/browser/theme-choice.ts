/** The theme that the reader has chosen for this site, kept in the browser. */

/** Themes to choose from; `auto` is that of the system. */
export const themeChoices = ['auto', 'light', 'dark'] as const;

/** One of {@link themeChoices}. */
export type ThemeChoice = (typeof themeChoices)[number];

const key = 'theme';

/** Reads the choice: `auto` without one, or if the browser keeps nothing for this site. */
export function readThemeChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(key);
    return themeChoices.find((choice) => choice === kept) ?? 'auto';
  } catch {
    return 'auto';
  }
}

/** Keeps the choice. If the browser keeps nothing for this site, it holds for the open page. */
export function keepThemeChoice(choice: ThemeChoice): void {
  try {
    if (choice === 'auto') localStorage.removeItem(key);
    else localStorage.setItem(key, choice);
  } catch {
    // The page shows the choice, and the next page is that of the system.
  }
}

/** Shows the page in a theme. Its style sheet has the colours. */
export function showTheme(choice: ThemeChoice): void {
  if (choice === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}
