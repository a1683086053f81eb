/** The ladder of a chart of versions: how many servers each oldest version that is supported reaches. */
import { html } from 'ghtml';
import { formatDate, formatExact, formatShare } from '../../../draw/format.ts';
import { formatPoints } from '../../../draw/percentage-points.ts';
import { isAtLeast } from '../../../model/versions.ts';
import type { VersionInsights } from '../../../series/version-lines.ts';
import type { QueryParameters } from '../../address/paths.ts';
import { countWords, nameHtml, renderHiddenInputs } from '../html.ts';

/** The page of a ladder. */
interface LadderPlace {
  /** Title of its chart. */
  readonly title: string;
  readonly path: string;
  /** The query parameters of the page but `atLeast`. */
  readonly parameters: QueryParameters;
  /** The oldest version that is supported, as a reader has chosen it. */
  readonly atLeast: string | undefined;
}

/** Most rows: the versions of older ones are of a row of their own. */
const maxRungs = 20;

/** The oldest version that is chosen at first is the newest that reaches this share, or else the last row. */
const usualReach = 0.9;

/** A version, and what supporting it and all newer ones means. */
interface Rung {
  /** As in addresses: `1.20`, `Java 21`. */
  readonly label: string;
  readonly atLeast: number;
  readonly value: string;
  readonly change: string;
  /** Those with an older version, in words, and the share that they were before. */
  readonly left: string;
  readonly before: string;
}

/** Finds the chart that the ladder is about: that of the game, or the first one. */
export function findLadder(versions: readonly VersionInsights[]): VersionInsights | undefined {
  return versions.find(({ chartId }) => chartId === 'minecraftVersion') ?? versions[0];
}

/** Renders the card: a question whose version can be chosen, and a row for each version. */
export function renderLadder(
  versions: VersionInsights,
  { title, path, parameters, atLeast }: LadderPlace,
): string {
  const { at, lines, other } = versions;
  const rungs = rungsOf(versions);
  const reaching = rungs.findIndex((rung) => rung.atLeast >= usualReach);
  const usual = reaching === -1 ? rungs.length - 1 : reaching;
  const asked = atLeast === undefined ? -1 : lines.findLastIndex(({ name }) => isAtLeast(name, atLeast));
  const chosen = asked === -1 || asked >= rungs.length ? usual : asked;
  const options = rungs.map(
    ({ label, left, before }, index) =>
      html`<option data-left="${left}" data-before="${before}"!${index === chosen ? ' selected' : ''}>${label}</option>`,
  );
  const { left, before } = rungs[chosen] ?? { left: '', before: '' };
  const rows = rungs.map(
    (rung, index) =>
      html`<tr!${index > chosen ? ' class="left"' : ''}><th scope="row">${rung.label}</th><td><svg class="reach" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${rung.atLeast * 100}" height="8"/></svg> <b>${formatShare(rung.atLeast)}</b></td><td>${rung.value}</td><td>${rung.change}</td></tr>
`,
  );
  const rest = lines.slice(rungs.length).reduce((sum, { value }) => sum + value, 0);
  const more = (words: string, value: number) =>
    value === 0
      ? ''
      : html`<tr class="left"><th scope="row" colspan="2">${words}</th><td>${formatCountOf(value)}</td><td></td></tr>
`;
  return html`<section class="card ladder" aria-labelledby="-ladder">
<h3 id="-ladder">What may I drop?</h3>
<p class="foot">!${nameHtml(title)}${at === null ? '' : `, ${formatDate(at)}`}</p>
<form action="${`${path}#-versions`}" data-ladder="${rungs[usual]?.label ?? ''}"><p>Support from <select name="atLeast" aria-label="Oldest version that is supported">!${options}</select>!${renderHiddenInputs(parameters)} on, and <b>${left}</b> are left behind<span>${before}</span>. <button>Apply</button></p></form>
<table><thead><tr><th scope="col">from</th><th scope="col">reaches</th><th scope="col">servers on&nbsp;it</th><th scope="col">90 days</th></tr></thead>
<tbody>
!${rows}!${more(`${lines.length - rungs.length} older`, rest)}!${more('no version', other.value)}</tbody></table>
</section>
`;
}

function rungsOf({ lines, total }: VersionInsights): readonly Rung[] {
  let newer = 0;
  return lines.slice(0, maxRungs).map(({ name, value, share, atLeast, before }) => {
    newer += value;
    const reached = atLeast ?? 0;
    const left = Math.round(Math.max(0, total - newer));
    return {
      label: name.replace(/\.x$/, ''),
      atLeast: reached,
      value: formatCountOf(value),
      change: before === null ? '–' : formatPoints((share ?? 0) - (before.share ?? 0)),
      left: `${countWords(left, 'server')} (${formatShare(total > 0 ? left / total : 0)})`,
      before: before?.atLeast == null ? '' : `; ${formatShare(1 - before.atLeast)} three months ago`,
    };
  });
}

function formatCountOf(mean: number): string {
  return formatExact(Math.round(mean));
}
