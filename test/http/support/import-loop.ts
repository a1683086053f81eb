/** A worker that imports states of one plugin over and over until it gets a message; every fact of a state contains the same number. */
import { parentPort, workerData } from 'node:worker_threads';
import { importRecords } from './test-server.ts';

/** The number of points of the line in each state: several chunks. */
export const pointCount = 5000;

/** The plugin that changes. */
export const changingId = 7;

/** The archive of state `number`. */
export function stateRecords(number: number): readonly object[] {
  const software = { record: 'software', id: 1, name: `s${number}`, url: 'a', globalPluginId: changingId };
  const plugin = { record: 'plugin', id: changingId, name: `p${number}`, softwareId: 1, isGlobal: true };
  const charts = ['line', 'pie'].map((chartId, position) => ({
    record: 'chart',
    pluginId: changingId,
    chartId,
    uid: position + 1,
    type: chartId === 'line' ? 'single_linechart' : 'simple_pie',
    position,
    title: `c${number}`,
    isDefault: false,
    data: { number },
  }));
  const points = Array.from({ length: pointCount }, (_, index) => [1_800_000 * index, number]);
  return [
    software,
    { ...plugin, owner: { id: 1, name: `o${number}` } },
    ...charts,
    { record: 'data', pluginId: changingId, chartId: 'line', data: points },
    {
      record: 'data',
      pluginId: changingId,
      chartId: 'pie',
      data: ['a', 'b'].map((name) => ({ name, y: number })),
    },
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
