// Badges as shields.io draws them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawBadge } from '../../src/draw/badge.ts';
import { readSvg } from '../support/read-svg.ts';

const players = { label: 'players', message: '3.9k', color: 'blue', style: 'flat' } as const;

test('a flat square badge has two halves and two texts, as wide as Verdana makes them', () => {
  assert.equal(
    drawBadge({ ...players, style: 'flat-square' }),
    '<svg xmlns="http://www.w3.org/2000/svg" width="84" height="20" role="img" aria-label="players: 3.9k"><title>players: 3.9k</title>' +
      '<g shape-rendering="crispEdges"><rect width="49" height="20" fill="#555"/><rect x="49" width="35" height="20" fill="#007ec6"/></g>' +
      '<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" text-rendering="geometricPrecision" font-size="110">' +
      '<g transform="scale(.1)"><text x="255" y="140" textLength="390">players</text></g>' +
      '<g transform="scale(.1)"><text x="655" y="140" textLength="250">3.9k</text></g></g></svg>',
  );
});

test('a light colour has dark text', () => {
  assert.match(drawBadge({ ...players, color: '#fff' }), / fill="#333">3\.9k<\/text>/);
  assert.match(drawBadge({ ...players, color: '#b3b3b3' }), / fill="#333">3\.9k<\/text>/);
  assert.doesNotMatch(drawBadge({ ...players, color: '#b0b0b0' }), /#333/);
});

test('a badge without a label is only its message', () => {
  const svg = drawBadge({ ...players, label: ' ' });
  assert.match(svg, /width="35" height="20" role="img" aria-label="3\.9k"/);
  assert.equal(svg.split('>3.9k</text>').length, 4);
});

test('texts are escaped, and control and bidi characters are removed', () => {
  const svg = drawBadge({ ...players, label: '<a href="x">&\u202e\u0007', message: '\ud800' });
  assert.match(svg, />&lt;a href=&quot;x&quot;&gt;&amp;<\/text>/);
  for (const one of ['\u0007', '\u202e', '\ud800']) assert.ok(!svg.includes(one));
  readSvg(svg);
});
