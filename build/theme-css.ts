/** Renders the colours of pictures as CSS, for pages and the SVG pictures in them. */
import { darkColours, fontFamily, lightColours } from '../src/draw/theme.ts';

/**
 * Returns each colour as a custom property named after its ink (`--ground`, `--text`, `--series0`), and the
 * rules of pictures. Dark colours apply to screens only: if the system is dark and `data-theme` is not set,
 * or if the reader chose `data-theme="dark"`. Pictures in `<img>` follow `color-scheme`.
 */
export function themeCss(): string {
  const dark = `{color-scheme:dark;${propertiesOf(darkColours)}}`;
  return [
    `:root{color-scheme:light;--font:${fontFamily};${propertiesOf(lightColours)}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light])${dark}}`,
    `@media screen{:root[data-theme=dark]${dark}}`,
    ...Object.keys(lightColours).map(
      (ink) => `.pmf-${ink}{fill:var(--${ink})}.pms-${ink}{stroke:var(--${ink})}`,
    ),
  ].join('');
}

function propertiesOf(colours: Readonly<Record<string, string>>): string {
  return Object.entries(colours)
    .map(([ink, colour]) => `--${ink}:${colour}`)
    .join(';');
}
