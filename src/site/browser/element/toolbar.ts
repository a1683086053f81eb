/** The row of buttons below a chart. */

import { type Period, type Range, rangeNames, ranges } from '../../../model/window.ts';
import type { ChartState } from '../../state/page-state.ts';
import { button, element } from '../elements.ts';
import { rove } from '../roving.ts';

/** Handlers of the buttons. */
interface ToolbarActions {
  readonly choose: (change: Partial<ChartState>) => void;
  readonly zoomOut: () => void;
  readonly goBack: () => void;
  readonly toggleTable: () => void;
}

/** The state of the chart. */
interface ToolbarState extends Pick<ChartState, 'unit'> {
  /** Undefined unless the chart has buttons for it. */
  readonly window: Period | undefined;
  /** The time between the first and the last value of the chart. */
  readonly lengthMs: number;
  /** Undefined unless the chart has buttons for it. */
  readonly view: ChartState['view'] | undefined;
  readonly isOpened: boolean;
  readonly hasTable: boolean;
  readonly isTableShown: boolean;
}

/** Buttons for the range of a line, for the way back from an open slice, and for the table. */
export class Toolbar {
  readonly #ranges: ReadonlyMap<Range, HTMLButtonElement>;
  readonly #rangeGroup: HTMLElement;
  readonly #views: ReadonlyArray<readonly [name: string, button: HTMLButtonElement]>;
  readonly #whole: HTMLButtonElement;
  readonly #back: HTMLButtonElement;
  readonly #table: HTMLButtonElement;
  readonly #updateStops: () => void;

  /** Fills the element of the bar. */
  constructor(bar: HTMLElement, { choose, zoomOut, goBack, toggleTable }: ToolbarActions) {
    this.#ranges = new Map(
      rangeNames.map((range) => [
        range,
        button(range === 'all' ? 'All' : range, {
          part: 'button',
          onClick: () => choose({ window: range }),
        }),
      ]),
    );
    this.#rangeGroup = element('div', { class: 'ranges', role: 'group', 'aria-label': 'Range' });
    this.#rangeGroup.append(...this.#ranges.values());
    this.#whole = button('← Whole range', { part: 'button', onClick: zoomOut });
    this.#rangeGroup.append(this.#whole);
    const viewButton = (label: string, change: Partial<ChartState>) =>
      button(label, { part: 'button', onClick: () => choose(change) });
    this.#views = [
      ['now', viewButton('Now', { view: 'now' })],
      ['history', viewButton('Over time', { view: 'history' })],
      ['percent', viewButton('%', { unit: 'percent' })],
      ['count', viewButton('Counts', { unit: 'count' })],
    ];
    this.#back = button('← Back', { part: 'button', onClick: goBack });
    this.#table = button('Table', { part: 'button', class: 'end', onClick: toggleTable });
    bar.append(...this.#views.map(([, one]) => one));
    bar.append(this.#rangeGroup, this.#back, this.#table);
    bar.setAttribute('aria-label', 'Chart');
    this.#updateStops = rove(bar);
    this.update({
      window: undefined,
      lengthMs: 0,
      view: undefined,
      unit: 'percent',
      isOpened: false,
      hasTable: false,
      isTableShown: false,
    });
  }

  /** Shows the buttons that have an effect now. */
  update({ window, lengthMs, view, unit, isOpened, hasTable, isTableShown }: ToolbarState): void {
    this.#rangeGroup.hidden = window === undefined;
    for (const [name, one] of this.#views) {
      one.hidden = view === undefined || (view === 'now' && (name === 'percent' || name === 'count'));
      one.setAttribute('aria-pressed', String(name === view || name === unit));
    }
    this.#whole.hidden = window === undefined || typeof window === 'string';
    const range = window !== undefined && typeof window === 'string' ? window : undefined;
    for (const [each, one] of this.#ranges) {
      one.setAttribute('aria-pressed', String(each === range));
      // A range that has everything would look like All.
      one.hidden = each !== 'all' && each !== range && ranges[each] >= lengthMs;
    }
    this.#back.hidden = !isOpened;
    this.#table.hidden = !hasTable;
    this.#table.setAttribute('aria-pressed', String(isTableShown));
    this.#updateStops();
  }

  /** Focuses the button for the way back. */
  focusBack(): void {
    this.#back.focus();
  }
}
