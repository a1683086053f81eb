/** The style of `<plugin-chart>`, as a sheet that a strict content security policy lets through. */
import { darkColours, fontFamily, lightColours, type Theme } from '../../../draw/theme.ts';

/** The style sheet of elements with this theme, which all of them share. */
export function sheetFor(theme: Theme): CSSStyleSheet {
  let sheet = sheets.get(theme);
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(coloursCss(theme) + baseCss);
    sheets.set(theme, sheet);
  }
  return sheet;
}

const sheets = new Map<Theme, CSSStyleSheet>();

/** The custom properties by which a page sets inks. */
const propertyNames: Readonly<Record<string, string>> = {
  ground: '--plugin-chart-ground',
  text: '--plugin-chart-text',
  series0: '--plugin-chart-accent',
};

function coloursCss(theme: Theme): string {
  const light = `:host{color-scheme:light;${inksOf(lightColours)}}`;
  const dark = `:host{color-scheme:dark;${inksOf(darkColours)}}`;
  const rules = Object.keys(lightColours)
    .map((ink) => `.pmf-${ink}{fill:var(--${ink})}.pms-${ink}{stroke:var(--${ink})}`)
    .join('');
  if (theme === 'light') return light + rules;
  if (theme === 'dark') return dark + rules;
  return `${light}@media (prefers-color-scheme:dark){${dark}}${rules}`;
}

function inksOf(colours: Readonly<Record<string, string>>): string {
  return Object.entries(colours)
    .map(([ink, colour]) => {
      const name = propertyNames[ink];
      return `--${ink}:${name === undefined ? colour : `var(${name},${colour})`};`;
    })
    .join('');
}

const baseCss = `
:host{display:block;min-width:0;contain:layout style}
:host([hidden]){display:none}
*{box-sizing:border-box}
.box{position:relative;display:flex;flex-direction:column;overflow:hidden;border-radius:6px;background:var(--ground);color:var(--text);
font:12px/1.4 ${fontFamily};direction:ltr;text-align:start;text-transform:none;letter-spacing:normal;font-variant-numeric:tabular-nums}
.stage{position:relative;flex:1;min-height:0}
.stage>svg{display:block;position:absolute;inset:0}
slot{display:block;height:100%}
::slotted(*){display:block;max-width:100%;max-height:100%}
.message{position:absolute;inset:0;display:flex;flex-direction:column;gap:12px;align-items:center;justify-content:center;margin:0;padding:16px;color:var(--muted);text-align:center}
.bar{display:flex;gap:2px;align-items:center;height:36px;padding:0 12px 4px;flex:none}
.bar:empty{display:none}
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
.tip{position:absolute;top:0;left:0;z-index:1;max-width:min(280px,90%);padding:6px 10px;border:1px solid var(--axis);border-radius:5px;background:var(--ground);
color:var(--muted);pointer-events:none;line-height:1.35;overflow-wrap:anywhere}
.tip b{display:block;color:var(--text);font-size:14px;font-weight:600}
[hidden]{display:none!important}
svg [data-opens]{cursor:pointer}
svg .off{opacity:.35}
svg [data-index]:focus{outline:none}
svg [data-index]:focus-visible>path:first-child{stroke:var(--text);stroke-width:2}
svg [data-index]:focus-visible>text{text-decoration:underline}
.table{position:absolute;inset:0;overflow:auto;padding:0 20px}
a{color:inherit}
table{width:100%;font:inherit;color:inherit;border-collapse:collapse}
caption{padding:16px 0 8px;text-align:start;font-size:15px;font-weight:600}
caption small{display:block;font-size:12px;font-weight:400;color:var(--muted)}
tr{border-bottom:1px solid var(--grid)}
th,td{min-width:5em;padding:5px 0;text-align:start;font-weight:400;overflow-wrap:anywhere}
th+*,td+*{padding-inline-start:16px}
thead th{position:sticky;top:0;background:var(--ground);color:var(--muted)}
.number{text-align:end;white-space:nowrap}
.said{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{.bar{display:none}}
`;
