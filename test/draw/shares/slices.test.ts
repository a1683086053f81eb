// Shares as slices and bars, named, in groups, and no more of them than a picture can show; and their
// pictures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart } from '../../../src/draw/chart.ts';
import { type ChartToDraw, contentOf } from '../../../src/draw/chart-content.ts';
import {
  barsOf,
  gatherSlices,
  partNamesOf,
  rankShares,
  shareFilter,
  shownName,
  slicesOf,
} from '../../../src/draw/shares/slices.ts';
import { sharesIn } from '../../../src/model/chart-forms.ts';
import type { ShareValue } from '../../../src/model/forms/share-values.ts';
import { readSvg } from '../../support/read-svg.ts';
import { fc } from '../../support/seed.ts';

const sharesOf = (values: readonly number[]): ShareValue[] =>
  values.map((value, index) => [{ group: null, name: `n${index}` }, value]);

test('a pie has names and values, and a name of nothing is shown as none', () => {
  assert.deepEqual(slicesOf(sharesIn('pie', [{ name: 'Paper', y: 68 }])), [
    { name: 'Paper', value: 68, parts: [] },
  ]);
  assert.equal(slicesOf([[{ group: null, name: ' ' }, 1]])[0]?.name, '(no name)');
});

test('two outer slices with one drilldown id: the first has the parts, in a picture as in files and histories', () => {
  const data = {
    drilldownData: [
      {
        name: 'x',
        id: 'j',
        data: [
          ['21.0.11', 2],
          ['21', 1],
        ],
      },
    ],
    seriesData: [
      { name: 'Java 21', y: 3, drilldown: 'j' },
      { name: 'Java 8', y: 1, drilldown: 'j' },
    ],
  };
  const parts = [
    { name: '21.0.11', value: 2 },
    { name: '21', value: 1 },
  ];
  assert.deepEqual(contentOf({ form: 'drilldown', title: 'Java', data }), {
    kind: 'pie',
    colours: [],
    shares: [
      { name: 'Java 21', value: 3, parts },
      { name: 'Java 8', value: 1, parts: [] },
    ],
  });
});

test('countries have English names, and an unknown code stays as it is', () => {
  const codes = ['DE', 'us', 'XK', 'AQ', 'ZZ', 'QX', 'AUTO', '12', '"><script>'];
  const data = codes.map((code) => ({ code, value: 1 }));
  const content = contentOf({ form: 'map', title: 'Map', data });
  const known = ['Germany', 'United States', 'Kosovo', 'Antarctica', 'Unknown'];
  assert.deepEqual(content.kind === 'bars' && content.shares.map(({ name }) => name), [
    ...known,
    'QX',
    'AUTO',
    '12',
    '"><script>',
  ]);
});

test('the value of a bar is the sum of its parts, which the settings name', () => {
  const zoo = [
    { name: 'Llama', data: [3, 0, 4.5] },
    { name: 'Cod', data: [12] },
  ];
  const bars = barsOf(sharesIn('bars', zoo), shownName);
  assert.deepEqual(
    bars.map((bar) => ({ ...bar, parts: bar.parts.map(({ value }) => value) })),
    [
      { name: 'Llama', value: 7.5, parts: [3, 0, 4.5] },
      { name: 'Cod', value: 12, parts: [12] },
    ],
  );
  assert.deepEqual(partNamesOf(bars, { barNames: ['Young', 7, ' old '] }), ['Young', 'value 2', 'old']);
  assert.deepEqual(partNamesOf(bars.slice(1), { barNames: ['Young'] }), []);
  const [one, two, three] = ['value 1', 'value 2', 'value 3'];
  assert.deepEqual(partNamesOf(bars, null), [one, two, three]);
  for (const width of [200, 350, 560])
    for (const text of [one, two, three]) {
      const chart = { form: 'bars', title: 'Zoo', data: zoo } as const;
      const svg = drawChart(chart, { width, height: 304, theme: 'light', hasStyle: true });
      assert.ok(svg.includes(`>${text}   </tspan>`), `${width} px`);
    }
});

test('of very many parts the largest are left too, and of a bar the first nine', () => {
  const parts = sharesOf(Array.from({ length: 1000 }, () => 1)).map(([{ name }, value]): ShareValue => {
    return [{ group: 'a', name }, value];
  });
  const [slice] = slicesOf(parts);
  assert.equal(slice?.parts.length, 501);
  assert.deepEqual(slice.parts.at(-1), { name: '500 others', value: 500 });
  const values = barsOf(parts, shownName)[0]?.parts.map(({ value }) => value);
  assert.deepEqual(values, [...Array<number>(9).fill(1), 991]);
});

test('of very many slices the largest are left, and one for the others', () => {
  const values = fc.array(fc.nat({ max: 9 }), { minLength: 501, maxLength: 5000, size: 'max' });
  fc.assert(
    fc.property(values, (numbers) => {
      const slices = slicesOf(sharesOf(numbers));
      const [kept, others] = [slices.slice(0, -1), slices.at(-1)];
      assert.equal(kept.length, 500);
      assert.equal(others?.name, `${numbers.length - 500} others`);
      const descending = numbers.toSorted((a, b) => b - a);
      assert.deepEqual(
        kept.map(({ value }) => value),
        descending.slice(0, 500),
      );
      assert.equal(
        others.value,
        descending.slice(500).reduce((sum, value) => sum + value, 0),
      );
    }),
    { numRuns: 30 },
  );
});

const namedShares = (values: readonly number[]) =>
  values.map((value, index) => ({ name: `n${index}`, value }));

test('parts add up to the whole, however large or small the values, and values that are not positive have none', () => {
  const value = fc.oneof(fc.double({ min: -1e290, max: 1e290, noNaN: true }), fc.nat(), fc.constant(0));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 300 }), (values) => {
      const parts = rankShares(namedShares(values)).map(({ part }) => part);
      const sum = parts.reduce((total, part) => total + part, 0);
      assert.ok(Math.abs(sum - (values.some((one) => one > 0) ? 1 : 0)) < 1e-9);
      assert.ok(parts.every((part) => part >= 0 && part <= 1));
    }),
  );
});

test('slices below half a percent are gathered from the twenty-first on', () => {
  const ranked = rankShares(namedShares([...Array(22).fill(45), 1, 1, 2]));
  const { shares, other } = gatherSlices(ranked, 100);
  assert.equal(shares.length, 22);
  assert.deepEqual([other?.count, other?.value], [3, 4]);
  assert.equal(gatherSlices(rankShares(namedShares(Array(150).fill(1))), 1000).other, undefined);
  assert.equal(gatherSlices(rankShares(namedShares([1000, 1, 1])), 100).other, undefined);
});

test('hidden shares keep their places, and gathered ones are hidden and shown by their names too', () => {
  const hide = (isShown: (name: string | undefined) => boolean) => {
    const { shares, other } = gatherSlices(rankShares(namedShares([40, 30, 15, 10, 5]), isShown), 3);
    const parts = [...shares, ...(other === undefined ? [] : [other])].map(({ part }) => part);
    return { parts, other: other?.name, isHidden: other?.isHidden };
  };
  const third = { parts: [0, 0, 1], other: 'n3', isHidden: false };
  assert.deepEqual(
    hide((name) => name === 'n3'),
    third,
  );
  const { parts, other } = hide((name) => name !== 'n3');
  assert.deepEqual([parts.map((part) => Math.round(part * 90)), other], [[40, 30, 20], 'Other (2)']);
  const first = { parts: [1, 0, 0], other: 'Other (3)', isHidden: true };
  assert.deepEqual(
    hide((name) => name === 'n0'),
    first,
  );
});

test('a filter that would hide all that is above 0 is ignored, and says so', () => {
  const shares = namedShares([0, 2, 1]);
  const isKept = (wanted: string) => shareFilter(shares, (name) => name === wanted);
  assert.deepEqual(
    [isKept('n1').isShown('n1'), isKept('n1').isShown('n2'), isKept('n1').note],
    [true, false, ''],
  );
  for (const name of ['n0', 'gone']) {
    assert.equal(isKept(name).isShown('n1'), true);
    assert.match(isKept(name).note, /all would be hidden/);
  }
  assert.equal(shareFilter(namedShares([0]), () => false).note, '');
});

const options = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;

test('the outer ring of thirty groups goes all the way round', () => {
  const names = Array.from({ length: 30 }, (_, index) => `Group ${index}`);
  const data = {
    seriesData: names.map((name) => ({ name, y: 10, drilldown: name })),
    drilldownData: names.map((name) => ({
      name,
      id: name,
      data: [
        ['a', 5],
        ['b', 5],
      ],
    })),
  };
  const svg = drawChart({ form: 'drilldown', title: 'T', data }, options);
  const others = readSvg(svg).filter(({ name, text }) => name === 'title' && /^Other \(\d+\) /.test(text));
  assert.equal(others.length, 2);
});

const pie = (count: number): ChartToDraw => ({
  form: 'pie',
  title: 'Server Software',
  data: Array.from({ length: count }, (_, index) => ({
    name: `Software ${index}`,
    y: Math.ceil(5000 / (index + 1)),
  })),
});
const charts: Readonly<Record<string, ChartToDraw>> = {
  pie: pie(5),
  drilldown: {
    form: 'drilldown',
    title: 'Java Version',
    data: {
      drilldownData: [
        {
          name: 'Java 21',
          id: '21',
          data: [
            ['21.0.7', 7],
            ['21.0.11', 30],
            ['21.0.1', 3],
          ],
        },
        { name: 'Java 17', id: '17', data: [['17.0.19', 10]] },
      ],
      seriesData: [
        { name: 'Java 17', y: 10, drilldown: '17' },
        { name: 'Java 21', y: 40, drilldown: '21' },
      ],
    },
  },
  countries: {
    form: 'map',
    title: 'Server Location',
    data: [
      { code: 'FR', value: 120 },
      { code: 'DE', value: 1240 },
      { code: 'AUTO', value: 8 },
    ],
  },
  bars: {
    form: 'bars',
    title: 'Zoo',
    settings: { barNames: ['Young', 'Grown'] },
    data: [
      { name: 'Llama', data: [3, 8.5] },
      { name: 'Goat', data: [6, -1] },
    ],
  },
};
const picture = { width: 400, height: 280, theme: 'auto', hasStyle: true } as const;

for (const [name, chart] of Object.entries(charts)) {
  test(`the drawing of ${name} is known`, (context) => {
    const path = `${import.meta.dirname}/drawings/${name}.svg`;
    context.assert.fileSnapshot(drawChart(chart, picture), path, { serializers: [String] });
  });
}

test('on a phone names stay whole, and counts give them their room', () => {
  const textsAt = (width: number) =>
    readSvg(drawChart(pie(4), { ...picture, width, height: 240 })).flatMap(({ name, text }) =>
      name === 'text' ? text : [],
    );
  const names = Array.from({ length: 4 }, (_, index) => `Software ${index}`);
  for (const width of [278, 420]) {
    const texts = textsAt(width);
    assert.deepEqual(
      texts.filter((text) => text.startsWith('Soft')),
      names,
      `${width} px`,
    );
    assert.equal(texts.includes('2,500'), width === 420, `${width} px`);
  }
});

test('each slice has its row, the largest first, and the last row gathers the rest', () => {
  const texts = readSvg(drawChart(pie(500), picture))
    .filter(({ name, text }) => name === 'text' && /^(Software|Other)/.test(text))
    .map(({ text }) => text);
  const names = Array.from({ length: 10 }, (_, index) => `Software ${index}`);
  assert.deepEqual(texts, [...names, 'Other (490)']);
});
