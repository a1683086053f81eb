// Merging the reports of several processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addReports, endedReport, type ProcessReport } from '../../src/admin/process-report.ts';

const histogram = { bounds: [1], bucketCounts: [1], count: 2, sum: 4 };
const sum = { bounds: [1], bucketCounts: [2], count: 4, sum: 8 };
const serving: ProcessReport = {
  usage: {
    cpuSeconds: 1.5,
    residentBytes: 100,
    loopDelay: { bounds: [1, 2], bucketCounts: [1, 2], count: 3, sum: 0.5 },
  },
  serving: {
    requestCounts: { 200: 5, 404: 1 },
    bodyBytes: 50,
    cacheCounts: { hit: 3, shared: 1, miss: 1 },
    latencies: { cached: histogram, read: histogram, large: histogram, image: histogram },
    storeReads: histogram,
    acceptedCount: 9,
    openCount: 3,
    droppedCounts: { not_reading: 1 },
    refusedCounts: { rate_limit: 2 },
    storeChangeCount: 2,
    cachedCount: 4,
    cachedBytes: 400,
  },
};
const watching: ProcessReport = {
  usage: {
    cpuSeconds: 0.5,
    residentBytes: 10,
    loopDelay: { bounds: [1, 2], bucketCounts: [1, 1], count: 1, sum: 0.25 },
  },
};

test('counters of all processes add up, but a store change that all of them saw counts once', () => {
  assert.deepEqual(addReports([watching, serving, serving]), {
    usage: {
      cpuSeconds: 3.5,
      residentBytes: 210,
      loopDelay: { bounds: [1, 2], bucketCounts: [3, 5], count: 7, sum: 1.25 },
    },
    serving: {
      requestCounts: { 200: 10, 404: 2 },
      bodyBytes: 100,
      cacheCounts: { hit: 6, shared: 2, miss: 2 },
      latencies: { cached: sum, read: sum, large: sum, image: sum },
      storeReads: sum,
      acceptedCount: 18,
      openCount: 6,
      droppedCounts: { not_reading: 2 },
      refusedCounts: { rate_limit: 4 },
      storeChangeCount: 2,
      cachedCount: 8,
      cachedBytes: 800,
    },
  });
});

test('an ended process keeps its counters and loses its gauges', () => {
  assert.deepEqual(addReports([endedReport(serving), endedReport(watching)]), {
    usage: {
      cpuSeconds: 2,
      residentBytes: 0,
      loopDelay: { bounds: [1, 2], bucketCounts: [2, 3], count: 4, sum: 0.75 },
    },
    serving: { ...serving.serving, openCount: 0, cachedCount: 0, cachedBytes: 0 },
  });
});

test('merging no reports gives an empty report', () => {
  const { usage, serving: none } = addReports([]);
  assert.equal(usage.cpuSeconds, 0);
  assert.deepEqual([none.requestCounts, none.storeChangeCount], [{}, 0]);
});
