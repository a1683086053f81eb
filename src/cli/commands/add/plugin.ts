/** `add plugin`: adds a plugin with the default charts of its software. */
import { newPluginRecords } from '../../../collect/new-records.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import { softwareUrlSchema } from '../../../model/software.ts';
import { command } from '../../command.ts';
import { type CatalogueView, ownerNamed, register } from '../../register.ts';
import { changeSettings, matching, parseName } from '../../settings.ts';
import { counted } from '../../words.ts';

export const addPlugin = command({
  summary: 'with the default charts of its software; prints its id',
  settings: {
    ...changeSettings,
    name: {
      placeholder: 'NAME',
      help: 'the name of the plugin; must be given',
      isRequired: true,
      parse: parseName,
    },
    owner: {
      placeholder: 'NAME',
      help: 'the name of its owner, who is added if no plugin has this owner yet; must be given',
      isRequired: true,
      parse: parseName,
    },
    software: {
      placeholder: 'URL',
      help: 'the software that it runs on, such as bukkit; must be given',
      isRequired: true,
      parse: matching(softwareUrlSchema),
    },
  },
  async run({ store, name, owner: ownerName, software: softwareUrl, dryRun }) {
    await register({ store, dryRun }, async (view, ids) => {
      const software = (await view.listSoftware()).find(({ url }) => url === softwareUrl);
      if (software === undefined) {
        const message = `there is no software ${quote(softwareUrl)}; "plugin-metrics add software ${softwareUrl}" adds it`;
        throw new AppError('not_found', message);
      }
      const { pluginId: id, chartUid } = ids;
      const owner = await ownerNamed(ownerName, view, ids);
      const plugin = { id, name, owner, softwareId: software.id, isGlobal: false };
      const records = newPluginRecords(plugin, softwareUrl, chartUid);
      const namesake = await findNamesake(view, softwareUrl, name);
      const charts = counted(records.length - 1, 'chart');
      return {
        records,
        result: String(id),
        message: ({ add }) =>
          `${add} plugin ${id}, ${quote(name)}, of owner ${owner.id}, ${quote(owner.name)}, with ${charts} to ${store.name}` +
          (namesake === undefined
            ? ''
            : `; plugin ${namesake} has this name too, and is the one that is found by it`),
      };
    });
  },
});

/** Finds the plugin that an address without an id leads to. */
async function findNamesake(
  view: CatalogueView,
  softwareUrl: string,
  name: string,
): Promise<number | undefined> {
  for await (const plugins of view.listPlugins()) {
    const found = plugins.find(
      (plugin) => plugin.software.url === softwareUrl && plugin.name.toLowerCase() === name.toLowerCase(),
    );
    if (found !== undefined) return found.id;
  }
  return undefined;
}
