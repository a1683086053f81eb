/** The picture for a README: servers and players of a plugin, two lines under its name. */
import type { Period } from '../../model/window.ts';
import type { EventColumns } from '../events.ts';
import { formatExact, formatShort } from '../format.ts';
import { drawMessage, noPointsIn } from '../message.ts';
import { type Note, type PictureOptions, sizesOf } from '../picture.ts';
import { rangeWords, timeWords } from '../range.ts';
import { type LineToPlace, layoutLines } from './layout-lines.ts';
import type { LineShape } from './line-shape.ts';

/** The two lines of a plugin. Either may be missing, or have no points. */
interface Overview {
  /** The name of the plugin. */
  readonly title: string;
  readonly servers: LineShape | undefined;
  readonly players: LineShape | undefined;
  readonly range: Period;
  readonly events?: EventColumns | undefined;
}

/** In narrower small pictures the values go in a row below the title. */
const leastWidthBesideTitle = 450;

/** Draws servers and players, or a sentence if neither has a point. */
export function drawOverview(
  { servers, players, range, events, ...overview }: Overview,
  options: PictureOptions,
): string {
  const title = options.title ?? overview.title;
  const lines: LineToPlace[] = [];
  if (servers !== undefined && servers.pointCount > 0)
    lines.push({ name: 'servers', shape: servers, ink: 'series0' });
  if (players !== undefined && players.pointCount > 0)
    lines.push({ name: 'players', shape: players, ink: 'series1' });
  if (lines.length === 0) return drawMessage(noPointsIn(range), { ...options, title });
  const { isSmall } = sizesOf(options);
  const timestamp = Math.max(...lines.map(({ shape }) => shape.latestTimestamp));
  const period = rangeWords(range, { timestamp });
  const latest = lines.map((line) => wordsOf(line, formatExact).join(' '));
  // A small picture shows bold notes alone, so the nouns are bold there: colours alone do not say which line is which.
  const bold = [formatExact, formatShort].map((format) =>
    lines.map((line, index): Note => {
      const space = index < lines.length - 1 ? '   ' : '';
      return { text: wordsOf(line, format).join(' ') + space, ink: line.ink, isBold: true };
    }),
  );
  const beside: Note[] = lines.flatMap((line): Note[] => {
    const [value, noun] = wordsOf(line, formatExact);
    return [
      { text: value, ink: line.ink, isBold: true },
      { text: ` ${noun}    `, ink: 'text' },
    ];
  });
  const row = isSmall && options.width < leastWidthBesideTitle ? bold : undefined;
  const smallNotes =
    row === undefined ? (bold[0] ?? []).map((note) => ({ ...note, text: note.text.trim() })) : [];
  const described = lines.map(({ shape }, index) => {
    const { low, high, latestTimestamp } = shape;
    const between = low === high ? '' : `, between ${formatExact(low)} and ${formatExact(high)}`;
    return `${latest[index]} ${timeWords({ timestamp: latestTimestamp })}${between}`;
  });
  return layoutLines(
    {
      title,
      lines,
      description: `${title}: ${described.join('; ')} (${period})`,
      notes: [isSmall ? smallNotes : [...beside, { text: period, ink: 'muted' }]],
      row,
      mayHaveTwoAxes: true,
      events,
    },
    options,
  ).draw();
}

/** The latest value of a line, and its noun. */
function wordsOf({ name, shape: { latestValue } }: LineToPlace, format: (value: number) => string) {
  return [format(latestValue), latestValue === 1 ? name.slice(0, -1) : name] as const;
}
