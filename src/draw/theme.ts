/**
 * The colours of everything that people look at, pictures and pages, and how a picture carries them: as plain attributes,
 * so that it is right where style sheets are dropped, and as classes that a style sheet turns dark.
 */

/** How a picture is coloured. `auto` is light, and dark where the reader's system is. */
export type Theme = 'light' | 'dark' | 'auto';

/** The inks of the lines and slices, in the order they are given out. */
export const seriesInks = [
  'series0',
  'series1',
  'series2',
  'series3',
  'series4',
  'series5',
  'series6',
  'series7',
  'series8',
  'series9',
] as const;

/** What is coloured: a surface, kinds of text and rules, the lines and slices. */
export type Ink = 'ground' | 'text' | 'muted' | 'grid' | 'axis' | (typeof seriesInks)[number];

/** A colour for each ink, as `#rrggbb`. */
export type Colours = Readonly<Record<Ink, string>>;

/** Colours on a white ground. */
export const lightColours: Colours = {
  ground: '#ffffff',
  text: '#16181d',
  muted: '#5f6672',
  grid: '#e8eaee',
  axis: '#c3c8d0',
  series0: '#2456e6',
  series1: '#c2410c',
  series2: '#0f766e',
  series3: '#a21caf',
  series4: '#8a6d00',
  series5: '#0284c7',
  series6: '#e11d48',
  series7: '#4d7c0f',
  series8: '#6b21a8',
  series9: '#57534e',
};

/** Colours on a near-black ground. */
export const darkColours: Colours = {
  ground: '#111318',
  text: '#e8eaf0',
  muted: '#9aa1ad',
  grid: '#252932',
  axis: '#434a56',
  series0: '#7c9dff',
  series1: '#fb923c',
  series2: '#2dd4bf',
  series3: '#e879f9',
  series4: '#facc15',
  series5: '#38bdf8',
  series6: '#fb7185',
  series7: '#a3e635',
  series8: '#c084fc',
  series9: '#a8a29e',
};

/** The fonts of pictures and pages: the system's own. */
export const fontFamily = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif';

/** The ink of the line or slice with this index; after the last one they start again. */
export function seriesInk(index: number): Ink {
  return seriesInks[index % seriesInks.length] ?? 'series0';
}

/**
 * The rules that turn pictures dark: always (`dark`), where the reader's system is dark (`auto`), or never. For the style
 * sheet of a page or a shadow root that shows pictures made with `theme: 'auto'` and `hasStyle: false`.
 */
export function pictureCss(theme: Theme): string {
  if (theme === 'light') return '';
  const rules = Object.keys(darkRules).map((className) => darkRules[className] ?? '');
  return theme === 'dark' ? rules.join('') : inDark(rules);
}

/** The attributes that colour one picture, and the style sheet for those that it used. */
export class Paint {
  readonly #theme: Theme;
  readonly #colours: Colours;
  readonly #usedClasses = new Set<string>();

  constructor(theme: Theme) {
    this.#theme = theme;
    this.#colours = theme === 'dark' ? darkColours : lightColours;
  }

  /** Attributes that fill a shape or a text, with a space before them. */
  fill(ink: Ink): string {
    return `${this.#classes(`pmf-${ink}`)} fill="${this.#colours[ink]}"`;
  }

  /** Attributes that draw the outline of a shape that is not filled. */
  stroke(ink: Ink): string {
    return `${this.#classes(`pms-${ink}`)} fill="none" stroke="${this.#colours[ink]}"`;
  }

  /** Attributes that fill a shape and draw its outline. */
  fillAndStroke(fill: Ink, stroke: Ink): string {
    const colours = ` fill="${this.#colours[fill]}" stroke="${this.#colours[stroke]}"`;
    return this.#classes(`pmf-${fill}`, `pms-${stroke}`) + colours;
  }

  /** The `<style>` of a picture on its own: nothing unless the theme is `auto`. */
  style(): string {
    if (this.#theme !== 'auto') return '';
    return `<style>${inDark([...this.#usedClasses].map((className) => darkRules[className] ?? ''))}</style>`;
  }

  #classes(...names: readonly string[]): string {
    if (this.#theme !== 'auto') return '';
    for (const name of names) this.#usedClasses.add(name);
    return ` class="${names.join(' ')}"`;
  }
}

const darkRules: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(darkColours).flatMap(([ink, colour]) => [
    [`pmf-${ink}`, `.pmf-${ink}{fill:${colour}}`],
    [`pms-${ink}`, `.pms-${ink}{stroke:${colour}}`],
  ]),
);

function inDark(rules: readonly string[]): string {
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`;
}
