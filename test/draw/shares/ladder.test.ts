// Ladders of versions.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PictureOptions } from '../../../src/draw/picture.ts';
import { drawLadder, ladderInWords, type Rung } from '../../../src/draw/shares/ladder.ts';
import { readSvg } from '../../support/read-svg.ts';
import { fc } from '../../support/seed.ts';
import { checkPicture } from '../check-picture.ts';

const rungs: readonly Rung[] = [
  { name: '26.2.x', share: 0.25, atLeast: 0.25, before: 0 },
  { name: '26.1.x', share: 0.15, atLeast: 0.4, before: 0.08 },
  { name: '1.21.x', share: 0.47, atLeast: 0.87, before: 0.9 },
  { name: '1.8.x', share: 0.13, atLeast: 1, before: 1 },
];
const caption = { title: 'Minecraft Version', description: 'Versions', day: '29 Jun 2026' };
const optionsOf = (width: number, height: number): PictureOptions => ({
  ...{ width, height, theme: 'auto', hasStyle: true },
});
const textsOf = (svg: string) => readSvg(svg).flatMap(({ name, text }) => (name === 'text' ? [text] : []));

for (const [width, height] of [
  [200, 100],
  [800, 300],
  [1600, 500],
] as const)
  test(`the drawing of a ladder of ${width} pixels is known`, (context) => {
    const path = `${import.meta.dirname}/drawings/ladder-${width}.svg`;
    context.assert.fileSnapshot(drawLadder(rungs, caption, optionsOf(width, height)), path, {
      serializers: [String],
    });
  });

test('a ladder of any versions and size has its texts within its box, and none over another', () => {
  const part = fc.double({ min: -0.1, max: 1.2, noNaN: true });
  const rung = fc.record({
    name: fc.oneof(fc.constantFrom('1.21.x', 'Java 21', '2.5.0-SNAPSHOT'), fc.string({ maxLength: 60 })),
    share: part,
    atLeast: part,
    before: fc.option(part, { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.array(rung, { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 200, max: 1600 }),
      fc.integer({ min: 100, max: 1000 }),
      (some, width, height) => {
        const options = optionsOf(width, height);
        checkPicture(drawLadder(some, caption, options), options);
      },
    ),
  );
});

test('versions that have no room are counted, and shares before need a wide picture', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ ...rungs[2], name: `1.${index}` }) as Rung);
  const texts = textsOf(drawLadder(many, caption, optionsOf(800, 300)));
  const shown = texts.filter((text) => /^1\.\d+$/.test(text)).length;
  assert.ok(shown > 5 && texts.includes(`${40 - shown} older`), texts.join());
  assert.equal(texts.filter((text) => text === 'was 90%').length, shown);
  assert.ok(!textsOf(drawLadder(many, caption, optionsOf(240, 300))).some((text) => text.startsWith('was')));
  const without = rungs.map((rung) => ({ ...rung, before: undefined }));
  assert.ok(
    !textsOf(drawLadder(without, caption, optionsOf(800, 300)))
      .join()
      .includes('90 days'),
  );
});

test('a narrow ladder explains its marks in fewer words', () => {
  const notes = textsOf(drawLadder(rungs, caption, optionsOf(330, 300)))[1];
  assert.equal(notes, '29 Jun 2026   or newer, mark: 90 days before');
});

test('the words of a ladder name the newest versions', () => {
  assert.equal(
    ladderInWords(rungs),
    '26.2.x or newer 25%, 26.1.x or newer 40%, 1.21.x or newer 87% and 1 more',
  );
  assert.equal(ladderInWords(rungs.slice(0, 1)), '26.2.x or newer 25%');
});
