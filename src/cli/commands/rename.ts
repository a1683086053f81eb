/** `rename plugin`: gives a plugin another name, and keeps the old one, so that addresses with it go on leading to the plugin. */
import { quote } from '../../model/app-error.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import { command } from '../command.ts';
import { ownerNamed, register } from '../register.ts';
import { changeSettings, nameText, pluginArgument } from '../settings.ts';

export const renamePlugin = command({
  summary: 'it is still found by its old name',
  settings: {
    ...changeSettings,
    name: {
      help: 'the new name of the plugin; must be given',
      isRequired: true,
      ...nameText,
    },
    owner: {
      help: 'the name of its new owner; the owner stays unless given',
      ...nameText,
    },
  },
  argument: { ...pluginArgument, name: '<ID>' },
  async run({ store, name, owner: ownerName, dryRun }, pluginId) {
    await register({ store, dryRun }, async (view, ids) => {
      const { software, ...before } = await view.getPlugin(pluginId);
      const owner = ownerName === undefined ? before.owner : await ownerNamed(ownerName, view, ids);
      const place = `plugin ${pluginId}`;
      const changes: string[] = [];
      const records: MetricsRecord[] = [
        { place, kind: 'plugin', plugin: { ...before, name, owner, softwareId: software.id } },
      ];
      if (name !== before.name) {
        changes.push(`name from ${quote(before.name)} to ${quote(name)}`);
        records.push({ place, kind: 'oldName', oldName: { pluginId, name: before.name } });
      }
      if (owner.id !== before.owner.id)
        changes.push(`owner from ${quote(before.owner.name)} to ${quote(owner.name)}`);
      return {
        records: changes.length === 0 ? [] : records,
        message: ({ change }) =>
          changes.length === 0
            ? `nothing to do: plugin ${pluginId} is ${quote(name)} already, in ${store.name}`
            : `${change} the ${changes.join(' and ')} of plugin ${pluginId} in ${store.name}`,
      };
    });
  },
});
