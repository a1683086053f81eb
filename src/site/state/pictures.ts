/** The parameters of pictures and badges, and the addresses of these as pages and scripts write them. */
import { badgeColours, badgeStyles } from '../../draw/badge-look.ts';
import { oneOf } from '../../http/query-parameter.ts';
import { type ChartName, chartNamesText } from '../../model/chart.ts';
import { chartPicturePath, linesPicturePath, overviewPicturePath, withQuery } from '../address/paths.ts';
import { effectiveLines, linesFields } from './compare-query.ts';
import { type Fields, fieldOf, numberField, type StateOf, textField, wordField, write } from './fields.ts';
import { type ChartState, chartFields, effective } from './page-state.ts';
import { windowField } from './shown-window.ts';

/** Themes of pictures. `transparent` has no ground, and colours that are readable on any. */
const themes = ['light', 'dark', 'auto', 'transparent'] as const;

/** Everything but what a picture shows. */
const look = {
  theme: wordField(themes, 'auto'),
  /** In pixels, like `height`. */
  width: numberField(200, 1600, 800),
  height: numberField(100, 1000, 300),
  /** In place of the chart's own title; empty for that. */
  title: textField(200),
  /** Pixels of a PNG for each pixel of its width and height. */
  scale: numberField(1, 3, 2),
};

/** The look of a picture. */
export type PictureLook = StateOf<typeof look>;

/** The look of a picture by its extension: an SVG has no scale, and a PNG cannot follow the reader's system, so `auto` is light. */
export const lookFields: Readonly<Record<PictureExtension, Fields<PictureLook>>> = {
  svg: { ...look, scale: { read: () => 1, write: () => ({}) } },
  png: {
    ...look,
    theme: wordField(themes, 'light', { auto: 'light' }),
  },
};

/** A form of a picture. */
export type PictureExtension = 'svg' | 'png';

/** The picture of one chart. */
export const chartPictureFields = {
  view: chartFields.view,
  unit: chartFields.unit,
  window: chartFields.window,
};

/** The picture of servers and players. */
export const overviewFields = { window: windowField('7d') };

const colourNames = Object.keys(badgeColours);

/** A badge but for its message. */
export const badgeFields = {
  /** In place of the title of the chart; empty for that. */
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

/** The look that an address names; the rest has its defaults. */
type NamedLook = Partial<PictureLook>;

/** The address of the picture of one chart; `form` is that of its data: `line`, `pie`, … */
export function chartPictureAddress(
  { pluginId, chartId }: ChartName,
  extension: PictureExtension,
  { form, look = {}, ...state }: ChartState & { readonly form: string; readonly look?: NamedLook },
): string {
  return withQuery(chartPicturePath(pluginId, chartId, extension), {
    ...write(chartPictureFields, effective(state, form)),
    ...write(lookFields[extension], look),
  });
}

/** The address of the picture of several lines. */
export function linesPictureAddress(
  extension: PictureExtension,
  { look = {}, ...lines }: StateOf<typeof linesFields> & { readonly look?: NamedLook },
): string {
  return withQuery(linesPicturePath(extension), {
    ...write(linesFields, effectiveLines(lines)),
    ...write(lookFields[extension], look),
  });
}

/** The address of the picture of servers and players. */
export function overviewPictureAddress(
  pluginId: number,
  extension: PictureExtension,
  { look = {}, ...state }: StateOf<typeof overviewFields> & { readonly look?: NamedLook },
): string {
  return withQuery(overviewPicturePath(pluginId, extension), {
    ...write(overviewFields, state),
    ...write(lookFields[extension], look),
  });
}

/** The address of a badge of one chart, or of the sum of several. */
export function badgeAddress(
  charts: readonly ChartName[],
  { isSum, ...look }: { readonly isSum: boolean; readonly label: string },
): string {
  const names = chartNamesText(charts);
  return isSum
    ? withQuery('/badge/sum.svg', { charts: names, ...write(badgeFields, look) })
    : withQuery(`/badge/${names.replace(':', '/')}.svg`, write(badgeFields, look));
}
