/** Gives ids to new things, by counting on from the largest. */
import type { FreeIds } from '../model/metrics-writer.ts';
import { integer, type Row } from './rows.ts';

/**
 * Makes free ids.
 * @param largest the largest id of each kind up to `maxCountedId`, or null: `software_id`, `owner_id`, `plugin_id`, `removed_plugin_id` and
 *   `chart_uid`.
 */
export function freeIdsOf(largest: Row): FreeIds {
  const after = (...names: readonly string[]) =>
    1 + Math.max(0, ...names.map((name) => (largest[name] === null ? 0 : integer(largest[name]))));
  return {
    softwareId: after('software_id'),
    ownerId: after('owner_id'),
    pluginId: after('plugin_id', 'removed_plugin_id'),
    chartUid: after('chart_uid'),
  };
}
