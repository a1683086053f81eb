/** The choices of the Embed dialog, and the addresses of the pictures that they make. */
import { type Badge, badgeColours, badgeStyles } from '../../draw/badge-look.ts';
import type { HistoryUnit } from '../../draw/history/history-to-draw.ts';
import type { Range } from '../../draw/range.ts';
import type { ChartView, LineAxis } from '../state/page-state.ts';
import { chartPictureQuery, hasHistoryForm, linesPictureQuery, showsRange } from '../state/picture-query.ts';
import type { ShareFilter } from '../state/share-filter.ts';
import type { TimeSpan } from '../state/shown-window.ts';

/** One chart. */
interface ChartSubject {
  readonly kind: 'chart';
  readonly pluginId: string;
  readonly chartId: string;
  /** The form of the data of the chart: `line`, `pie`, … */
  readonly form: string;
}

/** One chart, the servers and players of a plugin, or a comparison. */
export type EmbedSubject =
  | ChartSubject
  | { readonly kind: 'overview'; readonly pluginId: string }
  | {
      readonly kind: 'lines';
      /** `1337:players,42:players`. */
      readonly charts: string;
      readonly mode: string;
      readonly axis: string;
    };

/** Themes of pictures. */
export const embedThemes = ['auto', 'light', 'dark', 'transparent'] as const;

/** One of {@link embedThemes}. */
export type EmbedTheme = (typeof embedThemes)[number];

/** Everything that is chosen. */
export interface EmbedChoice extends Pick<Badge, 'color' | 'style'> {
  /** The origin of the server, such as `https://metrics.example.org`. */
  readonly origin: string;
  /** The page of the subject, which pictures link to. */
  readonly pageUrl: string;
  readonly subject: EmbedSubject;
  readonly title: string;
  readonly theme: EmbedTheme;
  readonly width: number;
  readonly height: number;
  /** The part of a line, or of a history. */
  readonly range: Range;
  /** Two times in place of the range, which tags alone can show: a picture ends at the newest point. */
  readonly span: TimeSpan | undefined;
  readonly view: ChartView;
  readonly unit: HistoryUnit;
  /** Of one line. */
  readonly axis: LineAxis;
  /** The shares that a tag shows; pictures show all. */
  readonly filter: ShareFilter | undefined;
  /** The label of a badge; empty for its own. */
  readonly label: string;
}

/** The look of a badge without parameters. */
export const badgeLook = { label: '', color: 'blue', style: badgeStyles[0] } as const;

/** The names of the colours of badges. */
export const badgeColourNames: readonly string[] = Object.keys(badgeColours);

/** True for a chart that has a view over time beside that of now. */
export function hasHistoryView({ subject }: EmbedChoice): boolean {
  return subject.kind === 'chart' && hasHistoryForm(subject.form);
}

/** True if the picture shows a range. */
export function isOverTime({ subject, view }: EmbedChoice): boolean {
  return subject.kind !== 'chart' || showsRange({ form: subject.form, view });
}

/** The address of a picture; defaults are left out of the query. */
export function pictureUrl(choice: EmbedChoice, extension: 'svg' | 'png'): string {
  const { theme, width, height } = choice;
  return addressOf(choice, `/embed/${subjectPath(choice.subject)}.${extension}`, {
    ...shownParameters(choice),
    theme: theme === 'auto' ? '' : theme,
    width: width === 800 ? '' : `${width}`,
    height: height === 300 ? '' : `${height}`,
  });
}

/** The address of a badge. */
export function badgeUrl(choice: EmbedChoice): string {
  const { subject, label, color, style } = choice;
  const path = subject.kind === 'lines' ? 'sum' : subjectPath(subject);
  return addressOf(choice, `/badge/${path}.svg`, {
    ...(subject.kind === 'lines' ? { charts: subject.charts } : {}),
    label: label.trim(),
    color: color === badgeLook.color ? '' : color,
    style: style === badgeLook.style ? '' : style,
  });
}

function subjectPath(subject: EmbedSubject): string {
  switch (subject.kind) {
    case 'chart':
      return `${subject.pluginId}/${encodeURIComponent(subject.chartId)}`;
    case 'overview':
      return subject.pluginId;
    case 'lines':
      return 'lines';
  }
}

function shownParameters({ subject, view, unit, axis, range }: EmbedChoice): Parameters<typeof addressOf>[2] {
  switch (subject.kind) {
    case 'chart':
      return chartPictureQuery({ form: subject.form, view, unit, axis, range });
    case 'overview':
      return { range: range === '7d' ? '' : range };
    case 'lines':
      return linesPictureQuery({ ...subject, range });
  }
}

/** An address with the parameters that are given and not empty. */
function addressOf(
  { origin }: EmbedChoice,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value = ''] of Object.entries(parameters)) if (value !== '') query.set(name, value);
  // Brackets and quotes would need an escape in Markdown, BBCode and HTML; commas and colons read better as they are.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `${origin}${path}${text === '' ? '' : `?${text}`}`;
}
