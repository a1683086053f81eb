// Events as marks on pictures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventColumns } from '../../src/draw/events.ts';
import { drawLine } from '../../src/draw/line/line.ts';
import type { PluginEvent } from '../../src/model/plugin-event.ts';
import { readSvg } from '../support/read-svg.ts';
import { columnsFor, halfHours } from './line/made-lines.ts';

const day = 86_400_000;
const points = halfHours({ days: 30, level: 100 });
const from = points.timestamps[0] ?? 0;
const to = points.timestamps.at(-1) ?? 0;
const options = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;
const release = (days: number, title = `2.${days}.0`): PluginEvent => ({
  time: from + days * day,
  title,
  url: null,
});

function columnsOf(events: readonly PluginEvent[], columnCount = 400): EventColumns {
  const columns = new EventColumns({ from, to, columnCount });
  columns.add(events);
  return columns;
}

function drawWith(events: readonly PluginEvent[] | undefined, width = 800): string {
  const picture = { title: 'T', shape: columnsFor(points, width), range: '30d' } as const;
  return drawLine({ ...picture, events: events && columnsOf(events, width / 2) }, { ...options, width });
}

/** The titles of the marks, and the texts of the picture. */
function marksIn(svg: string) {
  const [, ...titles] = readSvg(svg).filter(({ name }) => name === 'title');
  const texts = readSvg(svg).filter(
    ({ name, attributes }) => name === 'text' && attributes['font-size'] === '9',
  );
  return { titles: titles.map(({ text }) => text), numbers: texts.map(({ text }) => text) };
}

test('an event is a mark with its title and day, and in the description', () => {
  const svg = drawWith([release(3), release(10)]);
  assert.deepEqual(marksIn(svg), { titles: ['2.3.0, 3 Jul 2025', '2.10.0, 10 Jul 2025'], numbers: [] });
  assert.match(svg, /<desc [^>]*>[^<]*; 2 events: 2\.10\.0 on 10 Jul 2025 and 2\.3\.0 on 3 Jul 2025</);
});

test('events that are close to each other are one mark, which says how many', () => {
  assert.deepEqual(marksIn(drawWith([release(3), release(3.1, '2.3.1'), release(20)])), {
    titles: ['2 events, 3 Jul 2025: 2.3.0, 2.3.1', '2.20.0, 20 Jul 2025'],
    numbers: ['2'],
  });
  const many = Array.from({ length: 1200 }, (_, index) => release(20 + index / 1000, `v${index}`));
  assert.deepEqual(marksIn(drawWith(many)), {
    titles: ['1,200 events, 20 Jul 2025 to 21 Jul 2025: v0 to v1199'],
    numbers: ['1.2k'],
  });
});

test('ten thousand events with long titles add less than 12 KB to a picture of the usual size', () => {
  for (const width of [200, 800, 1600]) {
    const events = Array.from({ length: 10_000 }, (_, index) =>
      release((index * 30) / 10_000, `${index}`.padEnd(200, '"')),
    );
    const added = drawWith(events, width).length - drawWith([], width).length;
    assert.ok(added < 4000 + 10 * width, `${width}: ${added}`);
  }
});

test('the newest three events are described, and the number of the others', () => {
  assert.equal(columnsOf([]).words, '');
  assert.equal(columnsOf([release(1)]).words, '1 event: 2.1.0 on 1 Jul 2025');
  assert.equal(
    columnsOf([1, 2, 3, 4, 5].map((days) => release(days))).words,
    '5 events: 2.5.0 on 5 Jul 2025, 2.4.0 on 4 Jul 2025, 2.3.0 on 3 Jul 2025 and 2 more',
  );
});
