// Parses an SVG document as XML, and measures its content.
import { SaxesParser } from 'saxes';
import { measureText } from '../../src/draw/svg.ts';

/** An element with its own text; the attributes of surrounding groups are included. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The bounding box of an element, in pixels. */
export interface Extent {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly text: string;
}

/** Lists all elements in document order. Throws if the text is not well-formed XML 1.0 with namespaces. */
export function readSvg(svg: string): SvgElement[] {
  const parser = new SaxesParser({ xmlns: true });
  const elements: SvgElement[] = [];
  const open: SvgElement[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const own = Object.fromEntries(Object.values(attributes).map((one) => [one.name, one.value]));
    const element = { name, attributes: { ...open.at(-1)?.attributes, ...own }, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    // The text of a tspan is also part of the surrounding text.
    for (const element of open.slice(-2)) {
      if (element === open.at(-1) || element.name === 'text') element.text += text;
    }
  });
  parser.on('closetag', () => open.pop());
  parser.write(svg).close();
  return elements;
}

/** Computes bounding boxes of texts, with the width of the widest common font. */
export function textExtents(elements: readonly SvgElement[]): Extent[] {
  return elements
    .filter(({ name, text }) => name === 'text' && text !== '')
    .map(({ attributes, text }) => {
      const size = Number(attributes['font-size']);
      const width = measureText(text, size, attributes['font-weight'] === '600');
      const x = Number(attributes['x']);
      const y = Number(attributes['y']);
      const anchor = attributes['text-anchor'];
      const left = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
      return { left, right: left + width, top: y - size * 0.75, bottom: y + size * 0.2, text };
    });
}

/** Computes bounding boxes of rectangles and paths; for a path, from the ends of its segments. */
export function shapeExtents(elements: readonly SvgElement[]): Extent[] {
  return elements.flatMap(({ name, attributes }) => {
    if (name === 'rect') {
      const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((each) =>
        Number(attributes[each] ?? 0),
      );
      return [{ left: x, top: y, right: x + width, bottom: y + height, text: name }];
    }
    return name === 'path' ? [pathExtent(attributes['d'] ?? '', attributes['transform'])] : [];
  });
}

/** True if two boxes overlap by more than the rounding of coordinates. */
export function overlap(a: Extent, b: Extent): boolean {
  const slack = 0.2;
  return (
    a.left < b.right - slack &&
    b.left < a.right - slack &&
    a.top < b.bottom - slack &&
    b.top < a.bottom - slack
  );
}

/**
 * Lists the corners of a path in absolute coordinates; for curves, their ends. Supports only M, L, A, H, V,
 * l, h, v, Z and z.
 */
export function pathCorners(d: string): { readonly x: number; readonly y: number }[] {
  let x = 0;
  let y = 0;
  const corners: { x: number; y: number }[] = [];
  for (const [, command = '', list = ''] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = (list.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    if (!'MLAHVlhvZz'.includes(command) || !numbers.every(Number.isFinite)) throw new Error(`path ${d}`);
    if (command === 'H') x = numbers[0] ?? x;
    else if (command === 'V') y = numbers[0] ?? y;
    else if (command === 'h') x += numbers[0] ?? 0;
    else if (command === 'v') y += numbers[0] ?? 0;
    else if (command === 'l') [x, y] = [x + (numbers[0] ?? 0), y + (numbers[1] ?? 0)];
    else if ('MLA'.includes(command)) [x, y] = [numbers.at(-2) ?? x, numbers.at(-1) ?? y];
    corners.push({ x, y });
  }
  return corners;
}

function pathExtent(d: string, transform = ''): Extent {
  const [moveX = 0, moveY = 0] = (/^translate\((.*)\)$/.exec(transform)?.[1] ?? '').split(',').map(Number);
  const xs = pathCorners(d).map(({ x }) => x + moveX);
  const ys = pathCorners(d).map(({ y }) => y + moveY);
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
    text: 'path',
  };
}
