/** The addresses of pictures and badges, as short as they can be. Pages and their scripts write them. */

import type { HistoryUnit } from '../../draw/history/history-unit.ts';
import type { ChartName } from '../../model/chart.ts';
import type { Period } from '../../model/window.ts';
import { chartPicturePath, linesPicturePath, overviewPicturePath, withQuery } from '../address/paths.ts';
import { windowQuery } from './shown-window.ts';

/** A chart as it is shown. */
interface ShownData {
  /** The form of its data: `line`, `pie`, … Those of the form `other` have no history. */
  readonly form: string;
  readonly view: 'now' | 'history';
  readonly unit: HistoryUnit;
  readonly window: Period;
}

/** True if a chart of this form has a view over time beside that of now. */
export function hasHistoryForm(form: string): boolean {
  return form !== 'line' && form !== 'other';
}

/** True if a picture shows a range: of a line, or of a history. */
export function showsRange({ form, view }: Pick<ShownData, 'form' | 'view'>): boolean {
  return form === 'line' || (hasHistoryForm(form) && view === 'history');
}

/** The look of a picture; as it is without parameters unless given. */
interface PictureLook {
  readonly theme?: string;
  readonly width?: number;
  readonly height?: number;
}

/** A form of a picture. */
type PictureExtension = 'svg' | 'png';

/** The address of the picture of one chart. */
export function chartPictureAddress(
  { pluginId, chartId }: ChartName,
  extension: PictureExtension,
  { look = {}, ...shown }: ShownData & { readonly look?: PictureLook },
): string {
  return withQuery(chartPicturePath(pluginId, chartId, extension), {
    ...chartPictureQuery(shown),
    ...lookQuery(look),
  });
}

/** The parameters of the picture of one chart; those with their defaults are undefined. */
function chartPictureQuery({ form, view, unit, window }: ShownData) {
  const isHistory = hasHistoryForm(form) && view === 'history';
  return {
    view: isHistory ? view : undefined,
    unit: isHistory && unit === 'count' ? unit : undefined,
    ...(showsRange({ form, view }) ? windowQuery(window) : {}),
  };
}

function lookQuery({ theme = 'auto', width = 800, height = 300 }: PictureLook) {
  return {
    theme: theme === 'auto' ? undefined : theme,
    width: width === 800 ? undefined : `${width}`,
    height: height === 300 ? undefined : `${height}`,
  };
}

/** Lines as they are shown. */
interface ShownLines {
  /** `1337:players,42:players`. */
  readonly charts: string;
  readonly mode: string;
  readonly axis: string;
  readonly window: Period;
}

/** The address of the picture of several lines. */
export function linesPictureAddress(
  extension: PictureExtension,
  { charts, mode, axis, window, look = {} }: ShownLines & { readonly look?: PictureLook },
): string {
  return withQuery(linesPicturePath(extension), {
    charts,
    mode: mode === 'absolute' ? undefined : mode,
    axis: axis === 'linear' || mode === 'sum' ? undefined : axis,
    ...windowQuery(window),
    ...lookQuery(look),
  });
}

/** The address of the picture of servers and players. */
export function overviewPictureAddress(
  pluginId: number,
  extension: PictureExtension,
  { window, look = {} }: { readonly window: Period; readonly look?: PictureLook },
): string {
  return withQuery(overviewPicturePath(pluginId, extension), {
    ...windowQuery(window, '7d'),
    ...lookQuery(look),
  });
}

/** The address of a badge of one chart, or of the sum of several. */
export function badgeAddress(
  subject: ChartName | { readonly charts: string },
  look: {
    readonly label: string | undefined;
    readonly color: string | undefined;
    readonly style: string | undefined;
  },
): string {
  return 'charts' in subject
    ? withQuery('/badge/sum.svg', { ...subject, ...look })
    : withQuery(`/badge/${subject.pluginId}/${subject.chartId}.svg`, look);
}
