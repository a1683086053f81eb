/** `rename plugin`: gives a plugin another name, and keeps the old one, so that addresses with it go on leading to the plugin. */
import { quote } from '../../model/app-error.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { Store } from '../../model/store.ts';
import { ownerNamed, register } from '../register.ts';

/** Options of {@link renamePlugin}. */
interface RenamePluginOptions {
  readonly name: string;
  /** Left out, the owner stays. */
  readonly ownerName: string | undefined;
  readonly isDryRun: boolean;
}

/** Renames a plugin. */
export async function renamePlugin(
  store: Store,
  pluginId: number,
  { name, ownerName, isDryRun }: RenamePluginOptions,
): Promise<void> {
  await register(store, { isDryRun }, async (view, ids) => {
    const { software, ...before } = await view.getPlugin(pluginId);
    const owner = ownerName === undefined ? before.owner : await ownerNamed(ownerName, view, ids);
    const place = `plugin ${pluginId}`;
    const plugin = { ...before, name, owner, softwareId: software.id };
    const isRenamed = name !== before.name;
    const renaming = isRenamed ? [`name from ${quote(before.name)} to ${quote(name)}`] : [];
    const moving =
      owner.id === before.owner.id ? [] : [`owner from ${quote(before.owner.name)} to ${quote(owner.name)}`];
    const changes = [...renaming, ...moving].join(' and ');
    const oldName: MetricsRecord = { place, kind: 'oldName', oldName: { pluginId, name: before.name } };
    const records: MetricsRecord[] = changes === '' ? [] : [{ place, kind: 'plugin', plugin }];
    return {
      records: isRenamed ? [...records, oldName] : records,
      message: (isDry) =>
        changes === ''
          ? `nothing to do: plugin ${pluginId} is ${quote(name)} already, in ${store.name}`
          : `${isDry ? 'would change' : 'changed'} the ${changes} of plugin ${pluginId} in ${store.name}`,
    };
  });
}
