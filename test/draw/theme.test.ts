// The colours are legible and distinct, also with colour blindness.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sliceFill } from '../../src/draw/shares/share-colours.ts';
import {
  type Colours,
  darkColours,
  fontFamily,
  lightColours,
  Paint,
  seriesInk,
  seriesInkCount,
  transparentPalette,
} from '../../src/draw/theme.ts';

const seriesInks = Array.from({ length: seriesInkCount }, (_, index) => seriesInk(index));

type Rgb = readonly [red: number, green: number, blue: number];
type Matrix = readonly [Rgb, Rgb, Rgb];

// Machado, Oliveira, Fernandes 2009, severity 1, in linear RGB.
const visions: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The first two are also the colours of numbers. */
const textInks = ['text', 'muted', 'series0', 'series1'] as const;

for (const [name, colours] of Object.entries({ light: lightColours, dark: darkColours })) {
  test(`${name}: text has a contrast of at least 4.5 to its ground, and lines of at least 3`, () => {
    for (const ink of textInks) assertContrast(colours[ink], colours.ground, 4.5);
    for (const ink of seriesInks) assertContrast(colours[ink], colours.ground, 3);
  });

  for (const vision of Object.keys(visions))
    test(`${name}: lines are distinct with ${vision} sight`, () => assertDistances(colours, vision, 0.09));
}

test('transparent: text has nearly the maximum contrast on both white and near-black, and lines at least 3', () => {
  for (const ground of ['#ffffff', '#0d1117', darkColours.ground]) {
    // The contrasts of one colour on the two grounds multiply to the contrast of the grounds, so 4.3 is the
    // maximum for both.
    for (const ink of textInks) assertContrast(transparentPalette[ink], ground, 4.15);
    for (const ink of seriesInks) assertContrast(transparentPalette[ink], ground, 3);
  }
});

for (const vision of Object.keys(visions))
  test(`transparent: lines are distinct with ${vision} sight`, () =>
    assertDistances(transparentPalette, vision, 0.08));

test("transparent: grid lines show the ground, and nothing follows the reader's system theme", () => {
  const paint = new Paint(transparentPalette);
  const { grid, text } = transparentPalette;
  assert.equal(paint.stroke('grid'), ` fill="none" stroke="${grid}" stroke-opacity=".25"`);
  assert.equal(paint.stroke('axis'), ` fill="none" stroke="${grid}" stroke-opacity=".55"`);
  assert.equal(paint.fill('text'), ` fill="${text}"`);
  assert.equal(paint.stroke('ground'), ' fill="none" stroke="none"');
  assert.equal(paint.style(), '');
});

test('neighbouring colours of versions are distinct, and the first ones have a contrast of 3 to both grounds', () => {
  const paint = new Paint('light');
  const shades = Array.from({ length: 12 }, (_, at) => /#\w+/.exec(sliceFill(paint, -1 - at))?.[0] ?? '');
  for (const [index, shade] of shades.entries()) {
    for (const ground of index < 4 ? [lightColours.ground, darkColours.ground] : [darkColours.ground])
      assertContrast(shade, ground, 3);
    for (const matrix of Object.values(visions))
      if (index > 0) assert.ok(distanceOf(shade, shades[index - 1] ?? '', matrix) >= 0.015, shade);
  }
});

test('the names of fonts are identifiers of CSS 2.0: Batik rejects a leading hyphen', () => {
  for (const name of fontFamily.split(',')) assert.match(name, /^[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*$/i);
});

/** Distances in OKLab: 0.02 is just noticeable, white and black are 1 apart. */
function assertDistances(colours: Colours, vision: string, least: number): void {
  const matrix = visions[vision] ?? assert.fail();
  for (const [index, ink] of seriesInks.entries()) {
    for (const other of seriesInks.slice(index + 1)) {
      const distance = distanceOf(colours[ink], colours[other], matrix);
      assert.ok(distance >= least, `${ink} ${other}: ${distance}`);
    }
  }
}

function assertContrast(ink: string, ground: string, least: number): void {
  const [a, b] = [luminanceOf(ink), luminanceOf(ground)];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  assert.ok(contrast >= least, `${ink} on ${ground}: ${contrast}`);
}

/** Red, green and blue as light, 0 … 1. */
function linearOf(colour: string): Rgb {
  const channel = (start: number) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function luminanceOf(colour: string): number {
  return dot([0.2126, 0.7152, 0.0722], linearOf(colour));
}

function distanceOf(a: string, b: string, vision: Matrix): number {
  const [l1, a1, b1] = oklabOf(apply(vision, linearOf(a)));
  const [l2, a2, b2] = oklabOf(apply(vision, linearOf(b)));
  return Math.hypot(l1 - l2, a1 - a2, b1 - b2);
}

function oklabOf(rgb: Rgb): Rgb {
  const cones = apply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    rgb.map((channel) => Math.min(1, Math.max(0, channel))),
  ).map(Math.cbrt);
  return apply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

function apply(matrix: Matrix, vector: readonly number[]): Rgb {
  const [first, second, third] = matrix;
  return [dot(first, vector), dot(second, vector), dot(third, vector)];
}

function dot(a: Rgb, b: readonly number[]): number {
  return a[0] * (b[0] ?? 0) + a[1] * (b[1] ?? 0) + a[2] * (b[2] ?? 0);
}
