/** The row of buttons below a chart. */

import { type Period, rangeNames, ranges } from '../../../model/window.ts';
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
  /** Each with its visibility and, of those that choose one of several, if it is pressed. */
  readonly #buttons: ReadonlyArray<{
    readonly button: HTMLButtonElement;
    readonly isShown: (state: ToolbarState) => boolean;
    readonly isPressed?: (state: ToolbarState) => boolean;
  }>;
  readonly #rangeGroup = element('div', { class: 'ranges', role: 'group', 'aria-label': 'Range' });
  readonly #back: HTMLButtonElement;
  readonly #updateStops: () => void;

  /** Fills the element of the bar. */
  constructor(bar: HTMLElement, { choose, zoomOut, goBack, toggleTable }: ToolbarActions) {
    const make = (label: string, onClick: () => void, className?: string) =>
      button(label, { part: 'button', onClick, ...(className && { class: className }) });
    const views = (['now', 'history'] as const).map((view) => ({
      button: make(view === 'now' ? 'Now' : 'Over time', () => choose({ view })),
      isShown: (state: ToolbarState) => state.view !== undefined,
      isPressed: (state: ToolbarState) => state.view === view,
    }));
    const units = (['percent', 'count'] as const).map((unit) => ({
      button: make(unit === 'percent' ? '%' : 'Counts', () => choose({ unit })),
      isShown: (state: ToolbarState) => state.view === 'history',
      isPressed: (state: ToolbarState) => state.unit === unit,
    }));
    const rangeButtons = rangeNames.map((range) => ({
      button: make(range === 'all' ? 'All' : range, () => choose({ window: range })),
      // A range that has everything would look like All.
      isShown: ({ window, lengthMs }: ToolbarState) =>
        range === 'all' || range === window || ranges[range] < lengthMs,
      isPressed: ({ window }: ToolbarState) => range === window,
    }));
    const whole = {
      button: make('← Whole range', zoomOut),
      isShown: ({ window }: ToolbarState) => typeof window === 'object',
    };
    const back = { button: make('← Back', goBack), isShown: ({ isOpened }: ToolbarState) => isOpened };
    const table = {
      button: make('Table', toggleTable, 'end'),
      isShown: ({ hasTable }: ToolbarState) => hasTable,
      isPressed: ({ isTableShown }: ToolbarState) => isTableShown,
    };
    this.#buttons = [...views, ...units, ...rangeButtons, whole, back, table];
    this.#back = back.button;
    this.#rangeGroup.append(...[...rangeButtons, whole].map((each) => each.button));
    bar.append(
      ...[...views, ...units].map((each) => each.button),
      this.#rangeGroup,
      back.button,
      table.button,
    );
    bar.setAttribute('aria-label', 'Chart');
    this.#updateStops = rove(bar);
  }

  /** Shows the buttons that have an effect now. */
  update(state: ToolbarState): void {
    this.#rangeGroup.hidden = state.window === undefined;
    for (const { button, isShown, isPressed } of this.#buttons) {
      button.hidden = !isShown(state);
      if (isPressed !== undefined) button.setAttribute('aria-pressed', String(isPressed(state)));
    }
    this.#updateStops();
  }

  /** Focuses the button for the way back. */
  focusBack(): void {
    this.#back.focus();
  }
}
