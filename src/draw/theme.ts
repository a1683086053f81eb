/**
 * Colours of pictures and pages. A picture carries its colours as plain attributes, so that it is readable
 * where style sheets are removed, and as classes, which a style sheet turns dark.
 */

/** Theme of a picture. `auto` follows the system of the reader. */
export type Theme = 'light' | 'dark' | 'auto';

/** Number of inks for lines and slices. */
export const seriesInkCount = 12;

type SeriesInk = `series${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11}`;

/** Names of colours: the ground, text and rules, lines and slices. */
export type Ink = 'ground' | 'text' | 'muted' | 'grid' | 'axis' | SeriesInk;

/** A colour that is the same in all themes. */
export type Shade = `#${string}`;

/** The colour of each ink, as `#rrggbb` or `none`. */
export type Colours = Readonly<Record<Ink, string>>;

function seriesColours(digits: string): Readonly<Record<SeriesInk, string>> {
  const entries = digits.split(' ').map((each, index) => [seriesInk(index), `#${each}`]);
  return Object.fromEntries(entries);
}

/** Colours on a white ground. */
export const lightColours: Colours = {
  ground: '#ffffff',
  text: '#16181d',
  muted: '#5f6672',
  grid: '#e8eaee',
  axis: '#c3c8d0',
  ...seriesColours('2456e6 bf3f0b 00a77d a07ff6 7c0107 ed6d09 361d97 9562a7 99485a 6c48ab 511b51 6c366c'),
};

/** Colours on a near-black ground. */
export const darkColours: Colours = {
  ground: '#111318',
  text: '#e8eaf0',
  muted: '#9aa1ad',
  grid: '#252932',
  axis: '#434a56',
  ...seriesColours('7c9dff d35d2f 94dbb3 9270ab ee806a feae5c 6b73e5 c48dbc eaea3f 90515a d8b4f3 6c51b4'),
};

/** Colours to use instead of those of a theme. */
export interface Palette extends Colours {
  /** Additional attributes for outlines and rules in an ink, with a leading space. */
  readonly strokes?: Partial<Readonly<Record<Ink, string>>>;
}

const grey = '#747a85';

/**
 * Colours for pictures without a ground, readable on white and near-black. They do not follow the system of
 * the reader, because that does not tell whether the page around the picture is dark.
 */
export const transparentPalette: Palette = {
  ground: 'none',
  text: grey,
  muted: grey,
  grid: grey,
  axis: grey,
  // A solid grey that is faint on white would stand out on black.
  strokes: { grid: ' stroke-opacity=".25"', axis: ' stroke-opacity=".55"' },
  ...seriesColours('3c6cfc c06036 e17524 755199 9090bd 5151cf ab3f09 1299fc a26c7e 876cbd bd877e 90515a'),
};

/** Fonts of pictures and pages: the system fonts. */
export const fontFamily = 'system-ui,Helvetica,Arial,sans-serif';

/** Returns the ink of the line or slice with this index; inks repeat after the last. */
export function seriesInk(index: number): Ink {
  return `series${index % seriesInkCount}` as SeriesInk;
}

/** Colours of one picture: attributes for its elements, and a style sheet for the classes that it uses. */
export class Paint {
  readonly #theme: Theme | Palette;
  readonly #colours: Palette;
  readonly #usedClasses = new Set<string>();

  constructor(theme: Theme | Palette) {
    this.#theme = theme;
    this.#colours = typeof theme === 'object' ? theme : theme === 'dark' ? darkColours : lightColours;
  }

  /** Returns attributes that fill a shape or text, with a leading space. */
  fill(ink: Ink | Shade): string {
    return `${this.#classes(`pmf-${ink}`)} fill="${this.#colourOf(ink)}"`;
  }

  /** Returns attributes that draw the outline of an unfilled shape. */
  stroke(ink: Ink | Shade): string {
    const further = isShade(ink) ? undefined : this.#colours.strokes?.[ink];
    return `${this.#classes(`pms-${ink}`)} fill="none" stroke="${this.#colourOf(ink)}"${further ?? ''}`;
  }

  /** Returns attributes that fill a shape and draw its outline. */
  fillAndStroke(ink: Ink): string {
    const colour = this.#colours[ink];
    return `${this.#classes(`pmf-${ink}`, `pms-${ink}`)} fill="${colour}" stroke="${colour}"`;
  }

  /** Returns the `<style>` of a stand-alone picture; empty unless the theme is `auto`. */
  style(): string {
    if (this.#theme !== 'auto') return '';
    const rules = [...this.#usedClasses].map(darkRule);
    return `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`;
  }

  #colourOf(ink: Ink | Shade): string {
    return isShade(ink) ? ink : this.#colours[ink];
  }

  /** Shades get no class, because they have no dark rule. */
  #classes(...names: readonly string[]): string {
    if (this.#theme !== 'auto' || names.some((name) => name.includes('#'))) return '';
    for (const name of names) this.#usedClasses.add(name);
    return ` class="${names.join(' ')}"`;
  }
}

function isShade(ink: Ink | Shade): ink is Shade {
  return ink.startsWith('#');
}

/** Returns the dark rule of a class: `pmf-text` fills with the ink `text`, `pms-text` strokes with it. */
function darkRule(className: string): string {
  const property = className.startsWith('pmf') ? 'fill' : 'stroke';
  return `.${className}{${property}:${darkColours[className.slice(4) as Ink]}}`;
}
