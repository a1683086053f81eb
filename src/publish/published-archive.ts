/** The archive of some plugins. */
import type { MetricsReader } from '../model/metrics-reader.ts';
import {
  type ArchiveVersion,
  archiveVersions,
  type MetricsRecord,
  type RecordSource,
} from '../model/metrics-record.ts';

const { withoutPast, withPast, withWindows } = archiveVersions;

/** Returns the records of plugins, for an archive of the version that they need. */
export async function recordsOf(
  reader: MetricsReader,
  pluginIds: ReadonlySet<number>,
): Promise<RecordSource> {
  const softwareIds = new Set<number>();
  /** Plugins that are in the store, but not in the archive. */
  const others = new Set<number>();
  let version: ArchiveVersion = withoutPast;
  for await (const records of reader.records(new Set()))
    for (const record of records)
      if (record.kind === 'plugin') {
        const { id, softwareId } = record.plugin;
        if (pluginIds.has(id)) softwareIds.add(softwareId);
        else others.add(id);
      }
  const isWanted = (record: MetricsRecord): boolean => {
    switch (record.kind) {
      case 'software':
        return softwareIds.has(record.software.id);
      case 'plugin':
        return pluginIds.has(record.plugin.id);
      case 'oldName':
        return pluginIds.has(record.oldName.pluginId);
      case 'event':
        return pluginIds.has(record.pluginId);
      case 'removal':
        // A plugin that is removed is in no store, and a mirror must not bring it back.
        return record.removal.pluginId === undefined || !others.has(record.removal.pluginId);
      default:
        return true;
    }
  };
  const changed = (record: MetricsRecord): MetricsRecord => {
    if (record.kind === 'archive') return { ...record, version };
    if (record.kind !== 'software') return record;
    const { globalPluginId } = record.software;
    const isKept = globalPluginId !== null && pluginIds.has(globalPluginId);
    return { ...record, software: { ...record.software, globalPluginId: isKept ? globalPluginId : null } };
  };
  const records = async function* () {
    for await (const batch of reader.records(pluginIds)) yield batch.filter(isWanted).map(changed);
  };
  for await (const batch of records()) version = batch.reduce(versionOf, version);
  return { records };
}

/** The version of an archive with a record and others, which need a version. */
function versionOf(others: ArchiveVersion, record: MetricsRecord): ArchiveVersion {
  const { kind } = record;
  if (others === withWindows || (kind === 'removal' && record.removal.after !== undefined))
    return withWindows;
  const isPast = pastKinds.has(kind) || (kind === 'data' && record.at !== undefined);
  return isPast ? withPast : others;
}

const pastKinds: ReadonlySet<string> = new Set(['history', 'event', 'oldName', 'removal']);
