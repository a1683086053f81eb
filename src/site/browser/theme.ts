/**
 * The theme that the reader has chosen for this site: stored in the browser, with a switch at the end of
 * every page.
 */

import { keepChoice, readChoice } from './kept-choice.ts';

/** Themes to choose from; `auto` is that of the system. */
const themeChoices = ['auto', 'light', 'dark'] as const;

/** One of {@link themeChoices}. */
type ThemeChoice = (typeof themeChoices)[number];

const key = 'theme';

/** Reads the choice: `auto` if there is none, or if the browser stores nothing for this site. */
export function readThemeChoice(): ThemeChoice {
  const kept = readChoice(key);
  return themeChoices.find((choice) => choice === kept) ?? 'auto';
}

/** Applies a theme to the page; the colours are in its style sheet. */
export function showTheme(choice: ThemeChoice): void {
  if (choice === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}

/** Makes the switch work, with charts that follow it. In print, charts are light, like the page. */
export function enableThemeSwitch(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('.theme input')];
  let shown: ThemeChoice = 'auto';
  const show = (choice: ThemeChoice) => {
    shown = choice;
    for (const input of inputs) input.checked = input.value === choice;
    showTheme(choice);
    showCharts(choice);
  };
  show(readThemeChoice());
  for (const input of inputs)
    input.addEventListener('change', () => {
      const choice = themeChoices.find((each) => each === input.value) ?? 'auto';
      keepChoice(key, choice === 'auto' ? null : choice);
      show(choice);
    });
  // The choice may change in another window, perhaps while this page is in the back/forward cache.
  addEventListener('storage', () => show(readThemeChoice()));
  addEventListener('pageshow', ({ persisted }) => persisted && show(readThemeChoice()));
  const paper = matchMedia('print');
  paper.addEventListener('change', () => showCharts(paper.matches ? 'light' : shown));
  addEventListener('beforeprint', () => showCharts('light'));
  addEventListener('afterprint', () => showCharts(shown));
}

function showCharts(theme: ThemeChoice): void {
  for (const chart of document.querySelectorAll('plugin-chart')) chart.setAttribute('theme', theme);
}
