// The requirements for every SVG: well-formed, without scripts and without external references.
import assert from 'node:assert/strict';
import { readSvg, type SvgElement } from '../../../support/read-svg.ts';

const elementNames = new Set(
  'svg title desc style rect text tspan path g circle line defs linearGradient stop clipPath filter feGaussianBlur mask use image'
    .split(' ')
    .filter((name) => name !== 'use' && name !== 'image'),
);

/** Parses an SVG and asserts that it is harmless. */
export function assertSvg(svg: string): readonly SvgElement[] {
  const elements = readSvg(svg);
  assert.equal(elements[0]?.name, 'svg');
  for (const { name, attributes } of elements) {
    assert.ok(elementNames.has(name), `<${name}>`);
    for (const [attribute, value] of Object.entries(attributes)) {
      assert.doesNotMatch(attribute, /^on|href$/i);
      // A label is text.
      if (attribute !== 'aria-label') assert.doesNotMatch(value, /javascript:|url\((?!#)/i);
    }
  }
  assert.doesNotMatch(svg, /@import|<!DOCTYPE|<!ENTITY|<\?/i);
  return elements;
}

/** Asserts that an SVG is harmless, and finds its description. */
export function descriptionOf(svg: string): string {
  return assertSvg(svg).find(({ name }) => name === 'desc')?.text ?? '';
}
