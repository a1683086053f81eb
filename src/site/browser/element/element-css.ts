/** The style of `<plugin-chart>`, as a sheet that a strict content security policy lets through. */
import { darkColours, fontFamily, type Ink, lightColours } from '../../../draw/theme.ts';
import baseCss from './element.css';

/** The style sheet, which all elements share. */
export function elementSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(coloursCss() + baseCss);
  }
  return sheet;
}

let sheet: CSSStyleSheet | undefined;

/** The custom properties by which a page sets inks. */
const propertyNames: Readonly<Record<string, string>> = {
  ground: '--plugin-chart-ground',
  text: '--plugin-chart-text',
  series0: '--plugin-chart-accent',
};

/** Without a theme of its own, an element has the colour scheme of the page around it. Older browsers have the light colours. */
function coloursCss(): string {
  const inks = Object.keys(lightColours) as readonly Ink[];
  const both = inksOf((ink) => `light-dark(${lightColours[ink]},${darkColours[ink]})`);
  const schemes = `:host([theme=light]){color-scheme:light}:host([theme=dark]){color-scheme:dark}`;
  const rules = inks.map((ink) => `.pmf-${ink}{fill:var(--${ink})}.pms-${ink}{stroke:var(--${ink})}`);
  return `.box{--font:${fontFamily}}:host{${inksOf((ink) => lightColours[ink])}}@supports (color:light-dark(#000,#000)){:host{${both}}}${schemes}${rules.join('')}`;
}

function inksOf(colourOf: (ink: Ink) => string): string {
  return (Object.keys(lightColours) as readonly Ink[])
    .map((ink) => {
      const name = propertyNames[ink];
      return `--${ink}:${name === undefined ? colourOf(ink) : `var(${name},${colourOf(ink)})`};`;
    })
    .join('');
}
