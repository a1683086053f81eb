/**
 * Parameters of pictures and badges, and the URLs of these and other files of a chart, for pages and scripts.
 */
import { badgeColours, badgeStyles } from '../../draw/badge-look.ts';
import { lineStep } from '../../draw/time-step.ts';
import { type ChartName, chartNamesText } from '../../model/catalogue.ts';
import { oneOf } from '../../model/parameter.ts';
import { chartPicturePath, overviewPicturePath, type QueryParameters, withQuery } from '../address/paths.ts';
import {
  type ChartState,
  chartFields,
  fieldsInUse,
  linesFields,
  linesInUse,
  sharedViewField,
  someChartsField,
} from './chart-state.ts';
import { type CompareQuery, compareAddress, shownCharts } from './compare-query.ts';
import { type Fields, fieldOf, numberField, type StateOf, textField, wordField, write } from './fields.ts';
import { atLeastField, csvFields, type ShownState } from './page-state.ts';
import { windowField, windowParameters } from './shown-window.ts';

/** Themes of pictures. `transparent` has no ground, and colours that are readable on light and dark. */
const themes = ['light', 'dark', 'auto', 'transparent'] as const;

/** Parameters that determine how a picture looks, not what it shows. */
const look = {
  theme: wordField(themes, 'auto'),
  /** Width in pixels, like `height`. */
  width: numberField(200, 1600, 800),
  height: numberField(100, 1000, 300),
  /** Replaces the title of the chart; empty to keep it. */
  title: textField(200),
  /** PNG pixels per pixel of width and height. */
  scale: numberField(1, 3, 2),
};

/** Look of a picture. */
export type PictureLook = StateOf<typeof look>;

/**
 * Parameters of the look by extension: an SVG has no scale, and a PNG cannot follow the system of the reader,
 * so `auto` means light.
 */
export const lookFields: Readonly<Record<PictureExtension, Fields<PictureLook>>> = {
  svg: { ...look, scale: { read: () => 1, write: () => ({}) } },
  png: {
    ...look,
    theme: wordField(themes, 'light', { auto: 'light' }),
  },
};

/** Extension of a picture. */
export type PictureExtension = 'svg' | 'png';

/** Parameters of the picture of one chart. */
export const chartPictureFields = {
  /** `ladder` is for a chart of versions: it shows for each the share that uses it or a newer one. */
  view: chartFields.view,
  unit: chartFields.unit,
  window: chartFields.window,
  group: chartFields.group,
  previous: chartFields.previous,
};

/** Parameters of the picture of charts of shares that are added up. */
export const sharesFields = {
  charts: someChartsField('charts of shares'),
  view: sharedViewField,
  unit: chartFields.unit,
  window: chartFields.window,
  group: chartFields.group,
};

/** Returns the members that affect a sum of shares. */
export function sharesInUse({
  charts,
  ...state
}: StateOf<typeof sharesFields>): Partial<StateOf<typeof sharesFields>> {
  const { previous: _, ...shown } = fieldsInUse({ ...state, previous: 'false' }, 'pie');
  return { charts, ...shown };
}

/** Parameters of the picture of servers and players. */
export const overviewFields = { window: windowField('7d'), previous: chartFields.previous };

const colourNames = Object.keys(badgeColours);

/** Parameters of all badges. */
export const badgeFields = {
  /** Replaces the title of the chart; empty to keep it. */
  label: textField(100),
  color: fieldOf(
    {
      allowed: `${colourNames.join(', ')}, or a colour of 3 or 6 hexadecimal digits`,
      parse(given) {
        const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(given) ?? [];
        return digits === undefined ? oneOf(colourNames).parse(given) : `#${digits.toLowerCase()}`;
      },
    },
    'blue',
  ),
  style: wordField(badgeStyles, 'flat'),
};

/** Parameters of the badge of one chart. */
export const chartBadgeFields = {
  ...badgeFields,
  /** For a chart of versions: the badge shows the share of this version and all newer ones. */
  atLeast: atLeastField,
};

/** Look to include in a URL; omitted members have their defaults. */
interface Looked {
  readonly look?: Partial<PictureLook> | undefined;
}

/**
 * Returns the URL of the picture of one chart, or of the sum of several; `form` is the form of their data:
 * `line`, `pie`, …
 */
export function chartPictureAddress(
  charts: readonly ChartName[],
  extension: PictureExtension,
  { form, look, ...state }: ChartState & { readonly form: string } & Looked,
): string {
  const [first, ...others] = charts;
  if (first === undefined || others.length > 0) {
    const { window } = state;
    if (form === 'line')
      return linesPictureAddress(extension, { charts, mode: 'sum', axis: 'linear', window, look });
    // A sum has no ladder.
    const view = state.view === 'ladder' ? 'now' : state.view;
    const own = write(sharesFields, sharesInUse({ charts, ...state, view }));
    return pictureAddress(`/embed/shares.${extension}`, extension, { own, look });
  }
  const { pluginId, chartId } = first;
  const own = write(chartPictureFields, fieldsInUse(state, form));
  return pictureAddress(chartPicturePath(pluginId, chartId, extension), extension, { own, look });
}

/** Returns the URL of the picture of several lines. */
export function linesPictureAddress(
  extension: PictureExtension,
  { look, ...lines }: StateOf<typeof linesFields> & Looked,
): string {
  const own = write(linesFields, linesInUse(lines));
  return pictureAddress(`/embed/lines.${extension}`, extension, { own, look });
}

/** Returns the URL of the picture of servers and players. */
export function overviewPictureAddress(
  pluginId: number,
  extension: PictureExtension,
  { look, ...state }: Partial<StateOf<typeof overviewFields>> & Looked,
): string {
  const own = write(overviewFields, state);
  return pictureAddress(overviewPicturePath(pluginId, extension), extension, { own, look });
}

function pictureAddress(
  path: string,
  extension: PictureExtension,
  { own, look = {} }: Looked & { readonly own: QueryParameters },
): string {
  return withQuery(path, { ...own, ...write(lookFields[extension], look) });
}

/** Returns the URL of the badge of one chart, or of the sum of several. */
export function badgeAddress(
  charts: readonly ChartName[],
  { isSum, ...look }: { readonly isSum: boolean; readonly label: string },
): string {
  const names = chartNamesText(charts);
  return isSum
    ? withQuery('/badge/sum.svg', { charts: names, ...write(badgeFields, look) })
    : withQuery(`/badge/${names.replace(':', '/')}.svg`, write(badgeFields, look));
}

/** A chart to link to, or several that are added up. */
interface LinkedChart {
  readonly charts: readonly ChartName[];
  /** Form of its data: `line`, `pie`, … Charts of the form `other` have no history. */
  readonly form: string;
  /** Path of the data of one chart as CSV. */
  readonly csvPath: string;
}

/** URLs of the data, the comparison and the pictures of a chart. */
interface ChartLinks {
  readonly csv: string;
  readonly compare: string;
  readonly svg: string;
  readonly png: string;
}

/** Maximum number of times in the CSV of a sum; beyond it, times are put together. */
const maxTimes = '5000';

/** Returns the links of a chart in a state of its page. */
export function chartLinks({ charts, form, csvPath }: LinkedChart, state: ShownState): ChartLinks {
  const { filters: _, window, ...shown } = state;
  const view = shown.view === 'ladder' ? 'now' : shown.view;
  const picture = (extension: 'svg' | 'png') =>
    chartPictureAddress(charts, extension, { ...shown, window, form });
  const csv =
    charts.length === 1
      ? withQuery(
          csvPath,
          write(csvFields, { ...fieldsInUse({ ...shown, view, window }, form), bom: 'true' }),
        )
      : withQuery('/api/v2/series.csv', {
          charts: chartNamesText(charts),
          ...windowParameters(window),
          points: maxTimes,
          sum: 'true',
          bom: 'true',
        });
  return { csv, compare: compareAddress({ charts, window }), svg: picture('svg'), png: picture('png') };
}

/** Returns the links of a comparison whose lines show `lengthMs`. */
export function comparisonLinks(
  query: CompareQuery,
  lengthMs: number,
): Omit<ChartLinks, 'compare'> & { readonly link: string } {
  const { mode, axis, window } = query;
  const charts = shownCharts(query);
  const picture = (extension: 'svg' | 'png') =>
    linesPictureAddress(extension, { charts, mode, axis, window });
  return {
    link: compareAddress({ ...query, add: '' }),
    csv: withQuery('/api/v2/series.csv', {
      charts: chartNamesText(charts),
      ...windowParameters(window),
      step: lineStep(lengthMs),
      sum: mode === 'sum' ? 'true' : undefined,
      bom: 'true',
    }),
    svg: picture('svg'),
    png: picture('png'),
  };
}
