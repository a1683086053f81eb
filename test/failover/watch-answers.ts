/** Imports that give every chart the same point, and a client that notes mixed responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';

/** The charts that are imported and requested. */
export const chartIds: readonly string[] = ['a', 'b', 'c'];
/** The initial store: a plugin with these charts. */
export const catalogue: string = archiveText([
  softwareLine(),
  pluginLine(),
  ...chartIds.map((chartId, index) => chartLine({ chartId, uid: 70 + index })),
]);

/** An import that adds the same point to every chart; different latest points are a mixed state. */
export const tick = (time: number): string =>
  archiveText(chartIds.map((chartId) => dataLine(chartId, `[[${time},${time}]]`)));

/** Requests the latest point of every chart from a node over and over, and notes violations. */
export function watchAnswers(charts: string) {
  const seen = { latest: 0, answered: 0, refused: 0, stale: 0, faults: [] as string[], stop: async () => {} };
  let isStopped = false;
  const newest = new Map<string, number>();
  const asking = (async () => {
    for (let turn = 0; !isStopped; turn++) {
      const chartId = chartIds[turn % chartIds.length] ?? 'a';
      const response = await fetch(`${charts}/${chartId}/data?maxElements=1`);
      const body = await response.text();
      if (response.status === 503) {
        seen.refused++;
        if (response.headers.get('retry-after') === null) seen.faults.push('503 without Retry-After');
      } else if (response.status === 200) {
        seen.answered++;
        // While the store is unreachable, cached responses are sent with their age.
        if (response.headers.get('age') !== null) seen.stale++;
        const time = Number(JSON.parse(body)[0]?.[0] ?? 0);
        if (time < (newest.get(chartId) ?? 0))
          seen.faults.push(`${chartId} went from ${newest.get(chartId)} to ${time}`);
        newest.set(chartId, time);
        seen.latest = Math.max(seen.latest, time);
      } else seen.faults.push(`${response.status} ${body}`);
      await sleep(10);
    }
  })();
  seen.stop = async () => {
    isStopped = true;
    await asking;
  };
  return seen;
}
