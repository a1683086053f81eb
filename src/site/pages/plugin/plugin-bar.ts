/** The bar of a plugin's page: what all of its charts show, and its sections. It stays in view. */
import { html } from 'ghtml';
import { rangeInWords } from '../../../draw/format.ts';
import { hasShares as hasSharesOf } from '../../../model/chart-forms.ts';
import type { Span } from '../../../model/window.ts';
import { groupLabels, viewLabels } from '../../state/chart-state.ts';
import { type PageState, pageParameters } from '../../state/page-state.ts';
import { meanWords, usualRange, windowWords } from '../../state/shown-window.ts';
import type { ListedChart } from '../chart-article.ts';
import { type AddressOf, renderChoices, renderTimesForm, renderUnits } from '../toolbar.ts';

/** The page of the bar. */
interface BarPlace {
  readonly path: string;
  readonly state: PageState;
  readonly addressOf: AddressOf;
  readonly charts: readonly ListedChart[];
  /** The time that its charts span. */
  readonly span: Span | undefined;
  /** True if it can show the period before, and if it has a chart of versions. */
  readonly hasPrevious: boolean;
  readonly hasVersions: boolean;
  /** The ids and the titles of its sections. */
  readonly sections: ReadonlyArray<readonly [id: string, title: string]>;
}

/** Renders the bar. */
export function renderBar(place: BarPlace): string {
  const { path, state, addressOf, charts, span, hasPrevious, hasVersions, sections } = place;
  const { window, view, unit, group, previous } = state;
  const hasShares = charts.some(({ type }) => hasSharesOf(type));
  const lengthMs = span === undefined ? 0 : span.last - span.first;
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
    hasPrevious
      ? renderChoices(
          'previous',
          { false: 'Off', true: 'On' },
          { label: 'Period before', current: previous, addressOf },
        )
      : ''
  }</div>
<div class="row"><nav class="sections" aria-label="Sections">!${sections.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>
<p class="shown" data-length="${lengthMs}"><span>${words.filter((each) => each !== '').join(' · ')}</span> <a href="${addressOf(back)}" data-set="${back}" data-back!${typeof window === 'string' ? ' hidden' : ''}>Back to ${rangeInWords[usualRange]}</a></p>!${hasShares ? renderUnits(unit, view !== 'now', addressOf) : ''}</div>
</div>
`;
}
