/** The picture for a README: servers and players of a plugin, two lines under its name. */
import { formatExact } from '../format.ts';
import { drawMessage, noDataSentence } from '../message.ts';
import { type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { type Range, rangeWords } from '../range.ts';
import type { Ink } from '../theme.ts';
import type { LineColumns } from './line-columns.ts';
import type { LinesLayout, PlacedAxis } from './line-layout.ts';
import { plotBox } from './plot-box.ts';
import { renderLines } from './render-lines.ts';
import { timeAxis } from './time-axis.ts';
import { type AxisPlace, hasZero, valueAxis } from './value-axis.ts';

/** The two lines. One of them may be missing, or have no points. */
export interface Overview {
  /** The name of the plugin. */
  readonly title: string;
  readonly servers: LineColumns | undefined;
  readonly players: LineColumns | undefined;
  readonly range: Range;
}

/** Draws servers and players; without a point in either, the sentence that there is none. */
export function drawOverview(overview: Overview, options: PictureOptions): string {
  const title = options.title ?? overview.title;
  const layout = layoutOverview(overview, options);
  return layout === undefined ? drawMessage(noDataSentence, { ...options, title }) : renderLines(layout);
}

/** Places the lines that have points; undefined where none has. */
export function layoutOverview(overview: Overview, options: PictureOptions): LinesLayout | undefined {
  const lines = linesOf(overview);
  const [first, second] = lines;
  if (first === undefined) return undefined;
  const title = options.title ?? overview.title;
  const sizes = sizesOf(options);
  const { box, axes } = plotBox({
    options,
    hasNotes: true,
    axesFor: (place) =>
      second === undefined || fitOneScale(first.columns, second.columns)
        ? [oneAxis(lines, place)]
        : twoAxes([first, second], place),
  });
  const from = Math.min(...lines.map(({ columns }) => columns.from));
  const to = Math.max(...lines.map(({ columns }) => columns.to));
  return {
    options,
    sizes,
    title,
    description: `${title}: ${lines.map(wordsOf).join('; ')} (${rangeWords(overview.range)})`,
    notes: notesOf(lines, overview.range),
    box,
    time: timeAxis(from, to, { ...box, labelEnd: options.width - 4, textSize: sizes.text }),
    axes,
    lines: lines.map(({ name, columns, ink }, index) => {
      const yAt = (axes[index] ?? axes[0])?.yAt ?? (() => box.bottom);
      // Areas of two scales say nothing beside each other.
      return { name, columns, ink, hasArea: axes.length === 1 && axes.every(hasZero), yAt };
    }),
  };
}

interface OverviewLine {
  readonly name: string;
  readonly columns: LineColumns;
  readonly ink: Ink;
}

function linesOf({ servers, players }: Overview): OverviewLine[] {
  const lines: OverviewLine[] = [];
  if (servers !== undefined && servers.pointCount > 0) {
    lines.push({ name: 'servers', columns: servers, ink: 'series0' });
  }
  if (players !== undefined && players.pointCount > 0) {
    lines.push({ name: 'players', columns: players, ink: 'series1' });
  }
  return lines;
}

/** Whether the lower line still has something to show where both share a scale. */
function fitOneScale(a: LineColumns, b: LineColumns): boolean {
  if (Math.min(a.low, b.low) < 0) return false;
  return Math.min(a.high, b.high) > leastShareOfHeight * Math.max(a.high, b.high);
}

const leastShareOfHeight = 0.15;

function oneAxis(lines: readonly OverviewLine[], place: AxisPlace): PlacedAxis {
  const low = Math.min(...lines.map(({ columns }) => columns.low));
  const high = Math.max(...lines.map(({ columns }) => columns.high));
  return { ...valueAxis(low, high, place), side: 'left', ink: 'muted' };
}

/** An axis for each line in its colour, on one grid. */
function twoAxes([first, second]: readonly [OverviewLine, OverviewLine], place: AxisPlace): PlacedAxis[] {
  const stepCount = Math.min(4, Math.max(2, Math.floor((place.bottom - place.top) / (place.textSize * 4))));
  const axisOf = ({ columns, ink }: OverviewLine, side: 'left' | 'right') => ({
    ...valueAxis(columns.low, columns.high, { ...place, stepCount }),
    side,
    ink,
  });
  return [axisOf(first, 'left'), axisOf(second, 'right')];
}

function notesOf(lines: readonly OverviewLine[], range: Range): Note[] {
  const notes = lines.flatMap(({ name, columns, ink }): Note[] => [
    { text: formatExact(columns.latestValue), ink, isBold: true },
    { text: ` ${nounOf(name, columns)}    `, ink: 'text' },
  ]);
  return [...notes, { text: rangeWords(range), ink: 'muted' }];
}

function wordsOf({ name, columns }: OverviewLine): string {
  const { low, high, latestValue } = columns;
  const between = low === high ? '' : `, between ${formatExact(low)} and ${formatExact(high)}`;
  return `${formatExact(latestValue)} ${nounOf(name, columns)} now${between}`;
}

function nounOf(name: string, { latestValue }: LineColumns): string {
  return latestValue === 1 ? name.slice(0, -1) : name;
}
