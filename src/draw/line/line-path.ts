/** The columns of a line as SVG path data. */
import type { LineColumns } from './line-columns.ts';

/** From points to pixels. */
export interface PathPlace {
  readonly xAt: (timestamp: number) => number;
  readonly yAt: (value: number) => number;
}

/** Points that are joined. */
export interface LineRun {
  /** Path data in relative coordinates, to one decimal. */
  readonly path: string;
  /** How long the path is, in pixels; 0 for a single point. */
  readonly length: number;
  /** The x coordinate where it begins. */
  readonly startX: number;
}

/** The runs of a line, from left to right: the lowest and the highest point of each column, in the order of time. */
export function lineRuns(columns: LineColumns, { xAt, yAt }: PathPlace): LineRun[] {
  const { lowValues, lowTimestamps, highValues, highTimestamps, starts, columnCount } = columns;
  const runs: LineRun[] = [];
  let path = '';
  // In tenths of pixels.
  let startX = 0;
  let x = 0;
  let y = 0;
  let length = 0;
  const goTo = (timestamp: number, value: number) => {
    const nextX = Math.round(xAt(timestamp) * 10);
    const nextY = Math.round(yAt(value) * 10);
    const dx = nextX - x;
    const dy = nextY - y;
    x = nextX;
    y = nextY;
    if (path === '') {
      startX = x;
      length = 0;
      path = `M${numberText(x)} ${numberText(y)}`;
    } else if (dx === 0) {
      if (dy !== 0) path += `v${numberText(dy)}`;
      length += Math.abs(dy);
    } else if (dy === 0) {
      path += `h${numberText(dx)}`;
      length += dx;
    } else {
      path += `l${numberText(dx)}${dy < 0 ? '' : ' '}${numberText(dy)}`;
      length += Math.sqrt(dx * dx + dy * dy);
    }
  };
  const endRun = () => {
    if (path === '') return;
    runs.push({ path: length === 0 ? `${path}h0` : path, length: length / 10, startX: startX / 10 });
    path = '';
  };
  for (let column = 0; column < columnCount; column++) {
    const low = lowValues[column] ?? Number.POSITIVE_INFINITY;
    const high = highValues[column] ?? Number.NEGATIVE_INFINITY;
    if (low > high) continue;
    if (starts[column] === 1) endRun();
    const lowTimestamp = lowTimestamps[column] ?? 0;
    const highTimestamp = highTimestamps[column] ?? 0;
    if (lowTimestamp <= highTimestamp) goTo(lowTimestamp, low);
    if (lowTimestamp !== highTimestamp) goTo(highTimestamp, high);
    if (lowTimestamp > highTimestamp) goTo(lowTimestamp, low);
  }
  if (columns.pointCount > 0) goTo(columns.latestTimestamp, columns.latestValue);
  endRun();
  return runs;
}

// Steps are short: the texts of those up to 400 pixels are made once.
const maxKnown = 4000;
const knownTexts = new Array<string | undefined>(2 * maxKnown + 1);

/** Tenths as a number: -12 as -1.2, 5 as .5. */
function numberText(tenths: number): string {
  const known = knownTexts[tenths + maxKnown];
  if (known !== undefined) return known;
  const text = String(tenths / 10).replace(/^(-?)0\./, '$1.');
  if (Math.abs(tenths) <= maxKnown) knownTexts[tenths + maxKnown] = text;
  return text;
}
