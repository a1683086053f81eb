/** Renders the colours of pictures as CSS, for pages and the SVG pictures in them. */
import { darkColours, fontFamily, type Ink, lightColours } from '../src/draw/theme.ts';

/**
 * Returns each colour as a custom property named after its ink (`--ground`, `--text`, `--series0`), and the
 * rules of pictures. Dark colours apply to screens only: if the system is dark and `data-theme` is not set,
 * or if the reader chose `data-theme="dark"`. Pictures in `<img>` follow `color-scheme`.
 */
export function themeCss(): string {
  const inks = Object.keys(lightColours) as readonly Ink[];
  const colours = inks.map((ink) => `--${ink}:light-dark(${lightColours[ink]},${darkColours[ink]})`);
  return [
    `:root{color-scheme:light;--font:${fontFamily};${colours.join(';')}}`,
    '@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark}}',
    '@media screen{:root[data-theme=dark]{color-scheme:dark}}',
    ...inks.map((ink) => `.pmf-${ink}{fill:var(--${ink})}.pms-${ink}{stroke:var(--${ink})}`),
  ].join('');
}
