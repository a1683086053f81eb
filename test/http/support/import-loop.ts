/**
 * A worker that imports states of one plugin over and over until it gets a message; every fact of a state
 * contains the same number.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';
import { importRecords } from './test-server.ts';

/** The number of points of the line in each state: several chunks. */
export const pointCount = 5000;

/** The plugin that changes. */
export const changingId = 7;

/** The archive of state `number`. */
export function stateRecords(number: number): readonly object[] {
  const about = { pluginId: changingId };
  const points = Array.from({ length: pointCount }, (_, index) => [1_800_000 * index, number]);
  const slices = ['a', 'b'].map((name) => ({ name, y: number }));
  const fields = { ...about, title: `c${number}`, data: { number } };
  return [
    softwareRecord({ name: `s${number}`, url: 'a', globalPluginId: changingId }),
    pluginRecord(changingId, `p${number}`, { owner: { id: 1, name: `o${number}` }, isGlobal: true }),
    chartRecord('line', 1, fields),
    chartRecord('pie', 2, { ...fields, type: 'simple_pie' }),
    dataRecord('line', points, about),
    dataRecord('pie', slices, about),
  ];
}

if (parentPort !== null) {
  let isOver = false;
  parentPort.once('message', () => {
    isOver = true;
  });
  for (let number = 1; !isOver; number++) {
    await importRecords(workerData as string, stateRecords(number));
    parentPort.postMessage(number);
  }
}
