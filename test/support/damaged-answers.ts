/** All answers and the export of a small store, for comparison after damage. */
import assert from 'node:assert/strict';
import { AppError } from '../../src/model/app-error.ts';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import { type ContractStore, exportFrom } from '../contracts/store-contract.ts';
import { makeApp, requestFor } from '../http/support/test-app.ts';
import { chartLine, dataLine, pluginLine, softwareLine, windowsText } from './archive-text.ts';

/**
 * An archive with a row of every kind: histories, events, old names, a removal, a global plugin, and texts
 * with characters of several bytes.
 */
export const everyKind: string = windowsText([
  softwareLine({ globalPluginId: 7 }),
  softwareLine({ id: 2, name: 'Bungee — Ö 😀', url: 'bungee' }),
  pluginLine({ isGlobal: true }),
  pluginLine({ id: 8, name: 'Second', owner: { id: 43, name: 'Ünlü' }, softwareId: 2 }),
  '{"record":"oldName","pluginId":7,"name":"Before"}',
  chartLine(),
  dataLine('players', '[[0,1],[1800000,2],[3600000,2.5]]'),
  chartLine({ chartId: 'empty', uid: 66, position: 1, title: 'Empty' }),
  chartLine({ chartId: 'versions', uid: 72, type: 'simple_pie', title: 'Versions', data: { filter: 'ü' } }),
  dataLine('versions', '[{"name":"1.0","y":1},{"name":"ü","y":2.50}]').replace(/\}$/, ',"at":7200000}'),
  '{"record":"history","pluginId":7,"chartId":"versions","times":[0,3600000],"series":[{"name":"1.0","values":[1,2]}]}',
  chartLine({ pluginId: 8, chartId: 'map', uid: 73, type: 'simple_map', position: -3, title: 'Map' }),
  '{"record":"event","pluginId":7,"time":0,"title":"1.0 — the first","url":"https://example.org/1.0"}',
  '{"record":"event","pluginId":7,"time":3600000,"title":"1.1","url":null}',
  '{"record":"removal","pluginId":9,"before":null}',
  '{"record":"removal","pluginId":7,"chartId":"players","before":1}',
  '{"record":"removal","pluginId":7,"chartId":"players","before":6000000,"after":5000000}',
]);

const charts = ['7/charts/players', '7/charts/empty', '7/charts/versions', '8/charts/map'];
const usualTargets = [
  '/api/v1/plugins',
  '/api/v1/software',
  ...['7', '7/charts', '8', '8/charts'].map((rest) => `/api/v1/plugins/${rest}`),
  ...charts.flatMap((rest) => [rest, `${rest}/data`]).map((rest) => `/api/v1/plugins/${rest}`),
  // Searches are left out: they read names without comparing checksums.
  '/api/v2/plugins',
  '/api/v2/software',
  // The insights of a plugin with a place among others are left out: they count index entries, which have no
  // checksum. A check finds faults there.
  ...['7', '7/insights', '7/archive', '7/export.csv', '8', '8/archive'].map(
    (rest) => `/api/v2/plugins/${rest}`,
  ),
  '/api/v2/series?charts=7:players,7:versions',
  '/api/v2/metrics?plugin=7&plugin=8',
];

/** The name of the export among the answers. */
const exportName = 'export';

/** Answers and an export, by target; undefined for an error which says that the store cannot be read. */
export type Answers = ReadonlyMap<string, string | undefined>;

/**
 * Collects the answers of a store and its export. It fails for anything but an answer, status 503 or a
 * refused export.
 */
export async function loadAnswers(store: ContractStore, more: readonly string[] = []): Promise<Answers> {
  const targets = [...usualTargets, ...more];
  const answers = new Map<string, string | undefined>();
  answers.set(exportName, await exportOf(store));
  let reader: MetricsReader;
  try {
    reader = await store.openReader();
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    for (const target of targets) answers.set(target, undefined);
    return answers;
  }
  await using _ = reader;
  const { app } = makeApp(reader, {});
  for (const target of targets) {
    const { status, body } = await app.answer(requestFor(target));
    const text = Buffer.from(body ?? '').toString();
    assert.notEqual(status, 500, `${target}: ${text}`);
    answers.set(target, status === 503 ? undefined : `${status} ${text}`);
  }
  return answers;
}

async function exportOf(store: ContractStore): Promise<string | undefined> {
  try {
    return await exportFrom(store);
  } catch (error) {
    assert.ok(error instanceof AppError, `${error instanceof Error ? error.stack : error}`);
    return undefined;
  }
}

/** Lists the targets whose answer differs from that of the undamaged store, and is no error. */
export function wrongAnswers(answers: Answers, right: Answers): readonly string[] {
  return [...right.keys()].filter((target) => {
    const answer = answers.get(target);
    return answer !== undefined && answer !== right.get(target);
  });
}
