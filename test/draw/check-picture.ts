// The rules that hold for every picture of times: well-formed, within its box, without texts that overlap.
import assert from 'node:assert/strict';
import type { PictureOptions } from '../../src/draw/picture.ts';
import { overlap, readSvg, shapeExtents, textExtents } from '../support/read-svg.ts';

/** Parses a picture and asserts the rules. */
export function checkPicture(svg: string, { width, height }: PictureOptions): void {
  const elements = readSvg(svg);
  const allowed = new Set(['svg', 'title', 'desc', 'style', 'rect', 'text', 'tspan', 'g', 'path', 'circle']);
  for (const { name, attributes, text } of elements) {
    assert.ok(allowed.has(name), name);
    for (const [key, attribute] of Object.entries(attributes)) {
      if (key === 'style' || key.startsWith('on') || key.includes('href')) assert.fail(key);
      if (/^(c?[xy]|r|d|font-size)$/.test(key)) assert.doesNotMatch(attribute, /NaN|Infinity|undefined|e/);
    }
    if (name === 'tspan' || attributes['font-weight'] === undefined)
      assert.doesNotMatch(text, /NaN|Infinity|undefined/);
  }
  const texts = textExtents(elements);
  for (const { left, top, right, bottom, text } of [...texts, ...shapeExtents(elements)]) {
    const isInside = left >= -0.2 && top >= -0.2 && right <= width + 0.2 && bottom <= height + 0.2;
    assert.ok(isInside, `${text}: ${left} ${top} ${right} ${bottom}`);
  }
  for (const [index, text] of texts.entries()) {
    for (const other of texts.slice(index + 1)) {
      assert.ok(!overlap(text, other), `${JSON.stringify(text)} ${JSON.stringify(other)}`);
    }
  }
}
