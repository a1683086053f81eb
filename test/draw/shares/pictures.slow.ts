// Rules that hold for every picture of shares, for any data and size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart } from '../../../src/draw/chart.ts';
import type { Palette, Theme } from '../../../src/draw/theme.ts';
import { transparentPalette } from '../../../src/draw/theme.ts';
import type { DataForm } from '../../../src/model/chart-types.ts';
import { overlap, readSvg, shapeExtents, textExtents } from '../../support/read-svg.ts';
import { fc } from '../../support/seed.ts';

const hostileNames = [
  '"><script>alert(1)</script>',
  "' onload='alert(1)",
  '</text></svg>',
  ']]>',
  '<!--',
  '&amp;&#x3c;',
  '{{constructor}}',
  'שלום עולם',
  '\u202egnp.exe',
  'x'.repeat(200),
  'W '.repeat(100),
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞',
  'a\u0000\u001b[31m\u0007\u007f\u0085\ufffe',
  '\ud800lone\udc00',
  '',
  ' ',
  '__proto__',
];
const name = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...hostileNames),
);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.nat(200_000) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, -5, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324),
);
const listOf = <Element>(element: fc.Arbitrary<Element>) =>
  fc.oneof(
    fc.array(element, { maxLength: 8 }),
    fc.array(element, { minLength: 20, maxLength: 60, size: 'max' }),
  );
const slices = listOf(fc.record({ name, y: value }));
const bars = listOf(fc.record({ name, data: fc.array(value, { maxLength: 12 }) }));
const chart = fc
  .oneof(
    fc.record({ form: fc.constant<DataForm>('pie'), data: slices }),
    fc.record({
      form: fc.constant<DataForm>('drilldown'),
      data: fc.record({
        drilldownData: fc.array(
          fc.record({ id: fc.constantFrom('a', 'b'), data: fc.array(fc.tuple(name, value)) }),
        ),
        seriesData: listOf(fc.record({ name, y: value, drilldown: fc.constantFrom('a', 'b', 'c') })),
      }),
    }),
    fc.record({
      form: fc.constant<DataForm>('map'),
      data: listOf(fc.record({ code: fc.oneof(name, fc.constantFrom('DE', 'US', 'ZZ', 'AQ')), value })),
    }),
    fc.record({ form: fc.constant<DataForm>('bars'), data: bars }),
    fc.record({ form: fc.constantFrom<DataForm>('pie', 'bars', 'drilldown'), data: fc.jsonValue() }),
  )
  .chain(({ form, data }) =>
    fc.record({
      form: fc.constant(form),
      data: fc.constant<unknown>(data),
      title: name,
      pluginName: name,
      settings: fc.record({ barNames: fc.array(name, { maxLength: 12 }) }),
    }),
  );
const options = fc.record({
  width: fc.oneof(fc.integer({ min: 200, max: 1600 }), fc.constantFrom(200, 300, 400, 800)),
  height: fc.oneof(fc.integer({ min: 100, max: 1000 }), fc.constantFrom(100, 200, 300)),
  theme: fc.constantFrom<Theme | Palette>('light', 'dark', 'auto', transparentPalette),
  hasStyle: fc.boolean(),
});

test('any data draws well-formed XML that stays in its box and whose texts do not overlap', () => {
  fc.assert(
    fc.property(chart, options, (drawn, size) => {
      const elements = readSvg(drawChart(drawn, size));
      const allowed = new Set(['svg', 'title', 'desc', 'style', 'rect', 'text', 'tspan', 'g', 'path']);
      assert.deepEqual(
        elements.filter((element) => !allowed.has(element.name)),
        [],
      );
      const texts = textExtents(elements);
      for (const { left, top, right, bottom, text } of [...texts, ...shapeExtents(elements)]) {
        const isInside =
          left >= -0.2 && top >= -0.2 && right <= size.width + 0.2 && bottom <= size.height + 0.2;
        assert.ok(isInside, `${text}: ${left} ${top} ${right} ${bottom}`);
      }
      for (const [index, text] of texts.entries()) {
        for (const other of texts.slice(index + 1)) {
          assert.ok(!overlap(text, other), `${JSON.stringify(text)} ${JSON.stringify(other)}`);
        }
      }
    }),
    { numRuns: 600 },
  );
});
