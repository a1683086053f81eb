/** The style of `<plugin-chart>`, as a sheet that a strict content security policy lets through. */
import { darkColours, fontFamily, type Ink, lightColours } from '../../../draw/theme.ts';

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
  return `:host{${inksOf((ink) => lightColours[ink])}}@supports (color:light-dark(#000,#000)){:host{${both}}}${schemes}${rules.join('')}`;
}

function inksOf(colourOf: (ink: Ink) => string): string {
  return (Object.keys(lightColours) as readonly Ink[])
    .map((ink) => {
      const name = propertyNames[ink];
      return `--${ink}:${name === undefined ? colourOf(ink) : `var(${name},${colourOf(ink)})`};`;
    })
    .join('');
}

const baseCss = `
:host{display:block;min-width:0;contain:layout style}
:host([hidden]){display:none}
*{box-sizing:border-box}
.box{all:initial;color-scheme:inherit;visibility:inherit;pointer-events:inherit;position:relative;display:flex;flex-direction:column;overflow:hidden;
border-radius:6px;background:var(--ground);color:var(--text);font:12px/1.4 ${fontFamily};font-variant-numeric:tabular-nums;direction:ltr}
.stage{position:relative;flex:1;min-height:0}
.stage>svg{display:block;position:absolute;inset:0}
slot{display:block;height:100%}
.small{height:auto!important}
.small .stage{flex:none;height:112px}
.small .bar{display:none}
::slotted(*){display:block;max-width:100%;max-height:100%}
.message{position:absolute;inset:0;display:flex;flex-direction:column;gap:12px;align-items:center;justify-content:center;margin:0;padding:16px;color:var(--muted);text-align:center}
.bar{display:flex;gap:2px;align-items:center;height:36px;padding:0 12px 4px;flex:none}
.bar .end{margin-inline-start:auto}
.ranges{display:flex;gap:2px}
button{min-width:32px;height:28px;padding:0 7px;border:1px solid transparent;border-radius:5px;background:none;color:var(--muted);font:inherit;cursor:pointer}
.late{animation:late 0s .4s both}@keyframes late{from{visibility:hidden}}
.message b{color:var(--text);font-size:15px;font-weight:600}
.message button{border-color:var(--axis);color:var(--text);padding:0 12px}
button:hover{color:var(--text);background:var(--grid)}
button[aria-pressed=true]{color:var(--text);font-weight:600;border-color:var(--axis)}
:focus-visible{outline:2px solid var(--series0);outline-offset:1px}
.cursor{position:absolute;touch-action:pan-y;cursor:crosshair;border-radius:3px}
.cursor:focus-visible{outline-offset:3px}
.events>*{position:absolute;width:24px;height:24px;min-width:0;padding:0;background:none;border-radius:5px}
.events>:hover{background:none}
.rule{position:absolute;top:0;bottom:0;width:1px;margin-left:-.5px;background:var(--muted);pointer-events:none}
.selection{position:absolute;top:0;bottom:0;background:var(--series0);opacity:.18;pointer-events:none}
.dot{position:absolute;width:10px;height:10px;margin:-5px;border:2px solid var(--ground);border-radius:50%;background:var(--series0);pointer-events:none}
.tip{position:absolute;top:0;left:0;z-index:1;max-width:min(340px,90%);padding:6px 10px;border:1px solid var(--axis);border-radius:5px;background:var(--ground);
color:var(--muted);pointer-events:none;line-height:1.35;overflow-wrap:anywhere}
.tip b{display:block;color:var(--text);font-size:14px;font-weight:600}
[hidden]{display:none!important}
svg [data-opens],svg [data-row]{cursor:pointer}
svg .off{opacity:.35}
svg [data-index]:focus{outline:none}
svg [data-index]:focus-visible>path:first-child{stroke:var(--text);stroke-width:2}
svg [data-index]:focus-visible>text{text-decoration:underline}
svg [data-row]:focus-visible{outline:2px solid var(--series0);outline-offset:1px}
.table{position:absolute;inset:0;overflow:auto;padding:0 20px}
a{color:inherit}
table{width:100%;font:inherit;color:inherit;border-collapse:collapse}
caption{padding:16px 0 8px;text-align:start;font-size:15px;font-weight:600}
caption small{display:block;font-size:12px;font-weight:400;color:var(--muted)}
tr{border-bottom:1px solid var(--grid)}
th,td{min-width:5em;padding:5px 0;text-align:start;font-weight:400;overflow-wrap:anywhere}
th+*,td+*{padding-inline-start:16px}
thead th{position:sticky;top:0;background:var(--ground);color:var(--muted)}
.tip tr{border:0}
.tip td{min-width:0;padding:1px 0 1px 8px;vertical-align:middle}
.tip td:first-child{padding:0}
.tip td:last-child{color:var(--text);text-align:end;white-space:nowrap}
.tip .near{color:var(--text);font-weight:700}
.number{text-align:end;white-space:nowrap}
.said{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{.bar{display:none}}
`;
