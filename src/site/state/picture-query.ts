/** The query parameters that say which part of its data a picture shows, as short as they can be. Pages and their scripts write them. */
import type { HistoryUnit } from '../../draw/history/history-to-draw.ts';
import type { Range } from '../../draw/range.ts';
import type { LineAxis } from './page-state.ts';

/** A chart as it is shown. */
interface ShownData {
  /** The form of its data: `line`, `pie`, … Those of the form `other` have no history. */
  readonly form: string;
  readonly view: 'now' | 'history';
  readonly unit: HistoryUnit;
  readonly axis: LineAxis;
  readonly range: Range | undefined;
}

/** True if a chart of this form has a view over time beside that of now. */
export function hasHistoryForm(form: string): boolean {
  return form !== 'line' && form !== 'other';
}

/** True if a picture shows a range: of a line, or of a history. */
export function showsRange({ form, view }: Pick<ShownData, 'form' | 'view'>): boolean {
  return form === 'line' || (hasHistoryForm(form) && view === 'history');
}

/** The parameters of the picture of one chart; those with their defaults are undefined. */
export function chartPictureQuery({ form, view, unit, axis, range }: ShownData) {
  const isHistory = hasHistoryForm(form) && view === 'history';
  return {
    view: isHistory ? view : undefined,
    unit: isHistory && unit === 'count' ? unit : undefined,
    axis: form === 'line' && axis === 'whole' ? axis : undefined,
    range: showsRange({ form, view }) && range !== '30d' ? range : undefined,
  };
}

/** Lines as they are shown. */
interface ShownLines {
  /** `1337:players,42:players`. */
  readonly charts: string;
  readonly mode: string;
  readonly axis: string;
  readonly range: Range | undefined;
}

/** The parameters of the picture of several lines; those with their defaults are undefined. */
export function linesPictureQuery({ charts, mode, axis, range }: ShownLines) {
  return {
    charts,
    mode: mode === 'absolute' ? undefined : mode,
    axis: axis === 'linear' || mode === 'sum' ? undefined : axis,
    range: range === '30d' ? undefined : range,
  };
}
