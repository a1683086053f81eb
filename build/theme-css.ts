/** The colours of pictures as CSS, for pages and for the SVG pictures in them. */
import { darkColours, fontFamily, lightColours, pictureCss } from '../src/draw/theme.ts';

/** Each colour as a custom property named after its ink (`--ground`, `--text`, `--series0`), and the rules of pictures. */
export function themeCss(): string {
  const light = `:root{color-scheme:light dark;--font:${fontFamily};${propertiesOf(lightColours)}}`;
  const dark = `@media (prefers-color-scheme:dark){:root{${propertiesOf(darkColours)}}}`;
  return `${light}${dark}${pictureCss('auto')}`;
}

function propertiesOf(colours: Readonly<Record<string, string>>): string {
  return Object.entries(colours)
    .map(([ink, colour]) => `--${ink}:${colour}`)
    .join(';');
}
