// The page on scaling says what its simulation gives, and the simulation always gives the same.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  bytesPerPoint,
  scalingPage,
  scalingTables,
  simulateEdges,
  withScalingTables,
} from '../../bench/scaling.ts';

describe('the figures on scaling', () => {
  it('are those that the simulation gives now (otherwise run `npm run scaling`)', () => {
    const page = readFileSync(scalingPage, 'utf8');
    assert.equal(page, withScalingTables(page, scalingTables()));
  });

  it('are the same every time', () => {
    const scale = { pluginCount: 2000, requestsPerSecond: 200 };
    assert.deepEqual(simulateEdges(scale, 4), simulateEdges(scale, 4));
    assert.equal(bytesPerPoint('busy'), bytesPerPoint('busy'));
  });

  it('let more regions ask the origin more often, and more clients a smaller share', () => {
    const scale = { pluginCount: 2000, requestsPerSecond: 200 };
    const few = simulateEdges(scale, 1);
    assert.ok(simulateEdges(scale, 8).originPerSecond > few.originPerSecond);
    assert.ok(simulateEdges({ ...scale, requestsPerSecond: 2000 }, 1).hitShare > few.hitShare);
  });

  it('go nowhere where the page has lost its marks', () => {
    assert.throws(() => withScalingTables('# Scaling\n', ''), /must hold the lines/);
  });
});
