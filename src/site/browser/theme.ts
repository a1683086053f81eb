/** The theme that the reader has chosen for this site: kept in the browser, and the switch for it at the end of every page. */

/** Themes to choose from; `auto` is that of the system. */
const themeChoices = ['auto', 'light', 'dark'] as const;

/** One of {@link themeChoices}. */
type ThemeChoice = (typeof themeChoices)[number];

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
function keepThemeChoice(choice: ThemeChoice): void {
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
