/** Style of `<plugin-chart>`, as a constructed style sheet, which a strict content security policy allows. */
import { darkColours, fontFamily, type Ink, lightColours } from '../../../draw/theme.ts';
import baseCss from './element.css';

/** Returns the style sheet, which all elements share. */
export function elementSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(coloursCss() + baseCss);
  }
  return sheet;
}

let sheet: CSSStyleSheet | undefined;

/** Custom properties with which a page can set inks. */
const propertyNames: Readonly<Record<string, string>> = {
  ground: '--plugin-chart-ground',
  text: '--plugin-chart-text',
  series0: '--plugin-chart-accent',
};

/**
 * Makes the rules for colours. An element without a theme follows the colour scheme of the page around it;
 * older browsers show the light colours.
 */
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
