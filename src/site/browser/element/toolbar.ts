/** The row of buttons below a chart. */
import { type Period, rangeNames, ranges } from '../../../model/window.ts';
import { type ChartState, chartViewLabels, viewNames } from '../../state/chart-state.ts';
import { button, element, moveByArrows } from '../elements.ts';

/** Handlers of the buttons. */
interface ToolbarActions {
  readonly choose: (change: Partial<ChartState>) => void;
  readonly zoomOut: () => void;
  readonly goBack: () => void;
  readonly toggleTable: () => void;
}

/** State of the chart, which the buttons reflect. */
interface ToolbarState extends Pick<ChartState, 'unit'> {
  /** Undefined if the chart has no buttons for the window. */
  readonly window: Period | undefined;
  /** Time between the first and last value of the chart. */
  readonly lengthMs: number;
  /** Undefined if the chart has no buttons for the view. */
  readonly view: ChartState['view'] | undefined;
  readonly hasLadder: boolean;
  readonly isOpened: boolean;
  readonly hasTable: boolean;
  readonly isTableShown: boolean;
}

/** Describes a button. */
interface Choice {
  readonly label: string;
  readonly className?: string;
  readonly onClick: () => void;
  readonly isShown: (state: ToolbarState) => boolean;
  /** Returns true if the choice is the current one. */
  readonly isPressed?: (state: ToolbarState) => boolean;
}

/**
 * Fills the toolbar of a chart with buttons: view and unit of shares, range, back from an open slice, and
 * table.
 * @returns a function that shows the buttons which have an effect in a given state.
 */
export function fillToolbar(
  bar: HTMLElement,
  { choose, zoomOut, goBack, toggleTable }: ToolbarActions,
): (state: ToolbarState) => void {
  const chosen: readonly Choice[] = [
    ...viewNames.map((view) => ({
      label: chartViewLabels[view],
      onClick: () => choose({ view }),
      isShown: (state: ToolbarState) => state.view !== undefined && (view !== 'ladder' || state.hasLadder),
      isPressed: (state: ToolbarState) => state.view === view,
    })),
    ...(['percent', 'count'] as const).map((unit) => ({
      label: unit === 'percent' ? '%' : 'Counts',
      onClick: () => choose({ unit }),
      isShown: ({ view }: ToolbarState) => view === 'history' || view === 'lines',
      isPressed: (state: ToolbarState) => state.unit === unit,
    })),
  ];
  const times: readonly Choice[] = [
    ...rangeNames.map((range) => ({
      label: range === 'all' ? 'All' : range,
      onClick: () => choose({ window: range }),
      // A range that covers the whole chart would look like All.
      isShown: ({ window, lengthMs }: ToolbarState) =>
        range === 'all' || range === window || ranges[range] < lengthMs,
      isPressed: ({ window }: ToolbarState) => range === window,
    })),
    { label: '← Whole range', onClick: zoomOut, isShown: ({ window }) => typeof window === 'object' },
  ];
  const others: readonly Choice[] = [
    { label: '← Back', className: 'back', onClick: goBack, isShown: ({ isOpened }) => isOpened },
    {
      label: 'Table',
      className: 'end',
      onClick: toggleTable,
      isShown: ({ hasTable }) => hasTable,
      isPressed: ({ isTableShown }) => isTableShown,
    },
  ];
  const updates: ((state: ToolbarState) => void)[] = [];
  const make = ({ label, className = '', onClick, isShown, isPressed }: Choice) => {
    const made = button(label, { part: 'button', class: className, onClick });
    // The first drawing gets the height beside an empty bar; the bar grows with the buttons of its chart.
    made.hidden = true;
    updates.push((state) => {
      made.hidden = !isShown(state);
      if (isPressed !== undefined) made.setAttribute('aria-pressed', String(isPressed(state)));
    });
    return made;
  };
  const group = element('div', { class: 'ranges', role: 'group', 'aria-label': 'Range' });
  group.append(...times.map(make));
  bar.append(...chosen.map(make), group, ...others.map(make));
  bar.setAttribute('aria-label', 'Chart');
  const updateStops = moveByArrows(bar);
  return (state) => {
    group.hidden = state.window === undefined;
    for (const update of updates) update(state);
    updateStops();
  };
}
