/** The switch between themes at the end of every page. */
import {
  keepThemeChoice,
  readThemeChoice,
  showTheme,
  type ThemeChoice,
  themeChoices,
} from './theme-choice.ts';

/** Makes the switch work, and charts follow it. On paper charts are light, as pages are. */
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
      keepThemeChoice(choice);
      show(choice);
    });
  // Another window has changed it, perhaps while this page lay in the history.
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
