/**
 * The colours of pictures and pages. A picture carries them as plain attributes, so that it reads right where style sheets are
 * dropped, and as classes that a style sheet turns dark.
 */

/** The theme of a picture. `auto` follows the reader's system. */
export type Theme = 'light' | 'dark' | 'auto';

/** The inks of lines and slices, in order. */
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
  'series10',
  'series11',
] as const;

/** The names of colours: the ground, kinds of text and rules, lines and slices. */
export type Ink = 'ground' | 'text' | 'muted' | 'grid' | 'axis' | (typeof seriesInks)[number];

/** A colour for each ink, as `#rrggbb` or `none`. */
export type Colours = Readonly<Record<Ink, string>>;

/** Colours on a white ground. */
export const lightColours: Colours = {
  ground: '#ffffff',
  text: '#16181d',
  muted: '#5f6672',
  grid: '#e8eaee',
  axis: '#c3c8d0',
  series0: '#2456e6',
  series1: '#bf3f0b',
  series2: '#00a77d',
  series3: '#a07ff6',
  series4: '#7c0107',
  series5: '#ed6d09',
  series6: '#361d97',
  series7: '#9562a7',
  series8: '#99485a',
  series9: '#6c48ab',
  series10: '#511b51',
  series11: '#6c366c',
};

/** Colours on a near-black ground. */
export const darkColours: Colours = {
  ground: '#111318',
  text: '#e8eaf0',
  muted: '#9aa1ad',
  grid: '#252932',
  axis: '#434a56',
  series0: '#7c9dff',
  series1: '#d35d2f',
  series2: '#94dbb3',
  series3: '#9270ab',
  series4: '#ee806a',
  series5: '#feae5c',
  series6: '#6b73e5',
  series7: '#c48dbc',
  series8: '#eaea3f',
  series9: '#90515a',
  series10: '#d8b4f3',
  series11: '#6c51b4',
};

/** Colours to use in place of those of a theme. */
export interface Palette extends Colours {
  /** Further attributes of outlines and rules in an ink, with a space before them. */
  readonly strokes?: Partial<Readonly<Record<Ink, string>>>;
}

const grey = '#747a85';

/**
 * Colours of pictures without a ground, which can be read on white and on near-black. They do not follow the reader's system, which does not say
 * whether the page around the picture is dark.
 */
export const transparentPalette: Palette = {
  ground: 'none',
  text: grey,
  muted: grey,
  grid: grey,
  axis: grey,
  // A solid grey that is faint on white stands out on black.
  strokes: { grid: ' stroke-opacity=".25"', axis: ' stroke-opacity=".55"' },
  series0: '#3c6cfc',
  series1: '#c06036',
  series2: '#e17524',
  series3: '#755199',
  series4: '#9090bd',
  series5: '#5151cf',
  series6: '#ab3f09',
  series7: '#1299fc',
  series8: '#a26c7e',
  series9: '#876cbd',
  series10: '#bd877e',
  series11: '#90515a',
};

/** The fonts of pictures and pages: the system's own. */
export const fontFamily = 'system-ui,Helvetica,Arial,sans-serif';

/** The ink of the line or slice with this index; they repeat after the last one. */
export function seriesInk(index: number): Ink {
  return seriesInks[index % seriesInks.length] ?? 'series0';
}

/** The colours of one picture: attributes for its elements, and a style sheet for the classes that it used. */
export class Paint {
  readonly #theme: Theme | Palette;
  readonly #colours: Palette;
  readonly #usedClasses = new Set<string>();

  constructor(theme: Theme | Palette) {
    this.#theme = theme;
    this.#colours = typeof theme === 'object' ? theme : theme === 'dark' ? darkColours : lightColours;
  }

  /** Attributes that fill a shape or a text, with a space before them. */
  fill(ink: Ink): string {
    return `${this.#classes(`pmf-${ink}`)} fill="${this.#colours[ink]}"`;
  }

  /** Attributes that draw the outline of a shape that is not filled. */
  stroke(ink: Ink): string {
    return `${this.#classes(`pms-${ink}`)} fill="none" stroke="${this.#colours[ink]}"${this.#colours.strokes?.[ink] ?? ''}`;
  }

  /** Attributes that fill a shape and draw its outline. */
  fillAndStroke(ink: Ink): string {
    const colour = this.#colours[ink];
    return `${this.#classes(`pmf-${ink}`, `pms-${ink}`)} fill="${colour}" stroke="${colour}"`;
  }

  /** The `<style>` of a picture on its own; empty unless the theme is `auto`. */
  style(): string {
    if (this.#theme !== 'auto') return '';
    return `<style>${inDark([...this.#usedClasses].map(darkRule))}</style>`;
  }

  #classes(...names: readonly string[]): string {
    if (this.#theme !== 'auto') return '';
    for (const name of names) this.#usedClasses.add(name);
    return ` class="${names.join(' ')}"`;
  }
}

/** The dark rule of a class: `pmf-text` fills with the ink `text`, `pms-text` draws an outline in it. */
function darkRule(className: string): string {
  const property = className.startsWith('pmf') ? 'fill' : 'stroke';
  return `.${className}{${property}:${darkColours[className.slice(4) as Ink]}}`;
}

function inDark(rules: readonly string[]): string {
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`;
}
