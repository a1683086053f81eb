/** The columns of a line as SVG path data. */
import type { LineColumns } from './line-columns.ts';

/** Where the path goes, in pixels. */
export interface PathPlace {
  readonly xAt: (timestamp: number) => number;
  readonly yAt: (value: number) => number;
  /** The y coordinate at which the area ends. */
  readonly baseline: number;
}

/** Path data of the line, and of the area between it and the baseline. */
export interface LinePath {
  readonly line: string;
  readonly area: string;
}

/** Path data with relative coordinates to one decimal. Each run of joined points is a path of its own. */
export function linePath(columns: LineColumns, { xAt, yAt, baseline }: PathPlace): LinePath {
  const base = tenthsOf(baseline);
  let line = '';
  let area = '';
  let run = '';
  let startX = 0;
  let x = 0;
  let y = 0;
  const goTo = (timestamp: number, value: number) => {
    const nextX = tenthsOf(xAt(timestamp));
    const nextY = tenthsOf(yAt(value));
    const dx = nextX - x;
    const dy = nextY - y;
    x = nextX;
    y = nextY;
    if (run === '') {
      startX = x;
      run = `M${numberText(x)}${secondNumberText(y)}`;
    } else if (dx === 0) {
      if (dy !== 0) run += `v${numberText(dy)}`;
    } else {
      run += dy === 0 ? `h${numberText(dx)}` : `l${numberText(dx)}${secondNumberText(dy)}`;
    }
  };
  const endRun = () => {
    if (run === '') return;
    // A run without length is drawn as a dot by its round caps.
    if (!/[hlv]/.test(run)) run += 'h0';
    else area += `${run}V${numberText(base)}H${numberText(startX)}z`;
    line += run;
    run = '';
  };
  for (let column = 0; column < columns.columnCount; column++) {
    const low = columns.lowValues[column] ?? Number.POSITIVE_INFINITY;
    const high = columns.highValues[column] ?? Number.NEGATIVE_INFINITY;
    if (low > high) continue;
    if (columns.starts[column] === 1) endRun();
    const lowTimestamp = columns.lowTimestamps[column] ?? 0;
    const highTimestamp = columns.highTimestamps[column] ?? 0;
    if (lowTimestamp <= highTimestamp) goTo(lowTimestamp, low);
    if (lowTimestamp !== highTimestamp) goTo(highTimestamp, high);
    if (lowTimestamp > highTimestamp) goTo(lowTimestamp, low);
  }
  if (columns.pointCount > 0) goTo(columns.latestTimestamp, columns.latestValue);
  endRun();
  return { line, area };
}

function tenthsOf(pixels: number): number {
  return Math.round(pixels * 10);
}

// Most steps are a few pixels: their texts are made once.
const texts: string[] = [];

/** Tenths as a number: -12 as -1.2, 5 as .5. */
function numberText(tenths: number): string {
  if (tenths < 0) return `-${numberText(-tenths)}`;
  const known = texts[tenths];
  if (known !== undefined) return known;
  const text = tenths > 0 && tenths < 10 ? `.${tenths}` : String(tenths / 10);
  if (tenths < maxKnown) texts[tenths] = text;
  return text;
}

/** The same behind another number. */
function secondNumberText(tenths: number): string {
  return tenths < 0 ? numberText(tenths) : ` ${numberText(tenths)}`;
}

// The coordinates of the largest picture.
const maxKnown = 16_001;
