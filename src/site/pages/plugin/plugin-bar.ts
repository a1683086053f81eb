/** The bar of a plugin's page: what all of its charts show, and its sections. It stays in view. */
import { html } from 'ghtml';
import { rangeInWords } from '../../../draw/format.ts';
import { groupLabels, unitLabels, viewLabels } from '../../state/chart-state.ts';
import { changed } from '../../state/fields.ts';
import { type PageState, pageAddress, pageFields, pageParameters } from '../../state/page-state.ts';
import { meanWords, usualRange, windowWords } from '../../state/shown-window.ts';
import { renderChoices, renderTimesForm } from '../toolbar.ts';

/** The page of the bar. */
interface BarPlace {
  readonly path: string;
  readonly state: PageState;
  /** True if it has a line, a chart of shares, a chart of versions. */
  readonly hasLines: boolean;
  readonly hasShares: boolean;
  readonly hasVersions: boolean;
  /** The time that its charts span. */
  readonly lengthMs: number;
  /** The ids and the titles of its sections. */
  readonly sections: ReadonlyArray<readonly [id: string, title: string]>;
}

/** Renders the bar. */
export function renderBar(place: BarPlace): string {
  const { path, state, hasLines, hasShares, hasVersions, lengthMs, sections } = place;
  const { window, view, unit, group, previous } = state;
  const addressOf = (change: string) => pageAddress(path, changed(pageFields, state, change));
  const back = `range=${usualRange}`;
  const words = [windowWords(window), hasShares ? meanWords(state, { lengthMs, width: 1120 }) : ''];
  return html`<div class="toolbar">
<div class="row">!${renderTimesForm({ path, window, addressOf, parameters: pageParameters(state), lengthMs })}!${
    hasShares ? renderChoices('view', viewLabels, { label: 'Shares', current: view, addressOf }) : ''
  }!${
    hasVersions || group !== 'none'
      ? renderChoices('group', groupLabels, { label: 'Versions', current: group, addressOf })
      : ''
  }!${
    hasLines
      ? renderChoices(
          'previous',
          { false: 'Off', true: 'On' },
          { label: 'Period before', current: previous, addressOf },
        )
      : ''
  }</div>
<div class="row"><nav class="sections" aria-label="Sections">!${sections.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>
<p class="shown" data-length="${lengthMs}"><span>${words.filter((each) => each !== '').join(' · ')}</span> <a href="${addressOf(back)}" data-set="${back}" data-back!${typeof window === 'string' ? ' hidden' : ''}>Back to ${rangeInWords[usualRange]}</a></p>!${
    hasShares
      ? html`<div class="units" data-shown-in="history"!${view === 'now' ? ' hidden' : ''}>!${renderChoices('unit', unitLabels, { label: 'Unit', current: unit, addressOf })}</div>`
      : ''
  }</div>
</div>
`;
}
