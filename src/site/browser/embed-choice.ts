/** The choices of the Embed dialog, and the addresses of the pictures that they make. */
import { type Badge, badgeColours, badgeStyles } from '../../draw/badge-look.ts';
import type { HistoryUnit } from '../../draw/history/history-unit.ts';
import type { ChartName } from '../../model/chart.ts';
import type { Period } from '../../model/window.ts';
import type { ChartView } from '../state/page-state.ts';
import {
  badgeAddress,
  chartPictureAddress,
  hasHistoryForm,
  linesPictureAddress,
  overviewPictureAddress,
  showsRange,
} from '../state/picture-address.ts';

/** One chart. */
interface ChartSubject {
  readonly kind: 'chart';
  readonly pluginId: string;
  readonly chartId: string;
  /** The form of the data of the chart: `line`, `pie`, … */
  readonly form: string;
}

/** A comparison. */
interface LinesSubject {
  readonly kind: 'lines';
  /** `1337:players,42:players`. */
  readonly charts: string;
  readonly mode: string;
  readonly axis: string;
}

/** One chart, the servers and players of a plugin, or a comparison. */
export type EmbedSubject =
  | ChartSubject
  | { readonly kind: 'overview'; readonly pluginId: string }
  | LinesSubject;

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
  readonly window: Period;
  readonly view: ChartView;
  readonly unit: HistoryUnit;
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
  return choice.origin + pictureAddress(choice, extension);
}

function pictureAddress({ subject, ...choice }: EmbedChoice, extension: 'svg' | 'png'): string {
  const { theme, width, height, window, view, unit } = choice;
  const look = { theme, width, height };
  switch (subject.kind) {
    case 'chart': {
      const shown = { form: subject.form, view, unit, window, look };
      return chartPictureAddress(nameOf(subject), extension, shown);
    }
    case 'overview':
      return overviewPictureAddress(Number(subject.pluginId), extension, { window, look });
    case 'lines':
      return linesPictureAddress(extension, { ...subject, window, look });
  }
}

/** The address of the badge of a chart or of a sum. */
export function badgeUrl(
  { origin, label, color, style }: EmbedChoice,
  subject: ChartSubject | LinesSubject,
): string {
  const look = {
    label: label.trim() || undefined,
    color: color === badgeLook.color ? undefined : color,
    style: style === badgeLook.style ? undefined : style,
  };
  const named = subject.kind === 'lines' ? { charts: subject.charts } : nameOf(subject);
  return origin + badgeAddress(named, look);
}

function nameOf({ pluginId, chartId }: ChartSubject): ChartName {
  return { pluginId: Number(pluginId), chartId };
}
