/**
 * The colours of pictures and pages. A picture carries them as plain attributes, so that it reads right where style sheets are
 * dropped, and as classes that a style sheet turns dark.
 */

/** The theme of a picture. `auto` follows the reader's system. */
export type Theme = 'light' | 'dark' | 'auto';

/** The number of inks of lines and slices. */
export const seriesInkCount = 12;

type SeriesInk = `series${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11}`;

/** The names of colours: the ground, kinds of text and rules, lines and slices. */
export type Ink = 'ground' | 'text' | 'muted' | 'grid' | 'axis' | SeriesInk;

/** A colour that is the same in all themes. */
export type Shade = `#${string}`;

/** A colour for each ink, as `#rrggbb` or `none`. */
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
  ...seriesColours('3c6cfc c06036 e17524 755199 9090bd 5151cf ab3f09 1299fc a26c7e 876cbd bd877e 90515a'),
};

/** The fonts of pictures and pages: the system's own. */
export const fontFamily = 'system-ui,Helvetica,Arial,sans-serif';

/** The ink of the line or slice with this index; they repeat after the last one. */
export function seriesInk(index: number): Ink {
  return `series${index % seriesInkCount}` as SeriesInk;
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
  fill(ink: Ink | Shade): string {
    return `${this.#classes(`pmf-${ink}`)} fill="${this.#colourOf(ink)}"`;
  }

  /** Attributes that draw the outline of a shape that is not filled. */
  stroke(ink: Ink | Shade): string {
    const further = isShade(ink) ? undefined : this.#colours.strokes?.[ink];
    return `${this.#classes(`pms-${ink}`)} fill="none" stroke="${this.#colourOf(ink)}"${further ?? ''}`;
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

  #colourOf(ink: Ink | Shade): string {
    return isShade(ink) ? ink : this.#colours[ink];
  }

  /** A shade has no dark rule, and so no class. */
  #classes(...names: readonly string[]): string {
    if (this.#theme !== 'auto' || names.some((name) => name.includes('#'))) return '';
    for (const name of names) this.#usedClasses.add(name);
    return ` class="${names.join(' ')}"`;
  }
}

function isShade(ink: Ink | Shade): ink is Shade {
  return ink.startsWith('#');
}

/** The dark rule of a class: `pmf-text` fills with the ink `text`, `pms-text` draws an outline in it. */
function darkRule(className: string): string {
  const property = className.startsWith('pmf') ? 'fill' : 'stroke';
  return `.${className}{${property}:${darkColours[className.slice(4) as Ink]}}`;
}

function inDark(rules: readonly string[]): string {
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`;
}
