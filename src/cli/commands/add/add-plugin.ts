/** `add plugin`: adds a plugin with the default charts of its software. */
import { newPluginRecords } from '../../../collect/new-records.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import type { Store } from '../../../model/store.ts';
import { type CatalogueView, ownerNamed, register } from '../../register.ts';
import { counted } from '../../words.ts';

/** Options of {@link addPlugin}. */
interface AddPluginOptions {
  readonly name: string;
  readonly ownerName: string;
  readonly softwareUrl: string;
  readonly isDryRun: boolean;
}

/** Adds a plugin and prints its id. */
export async function addPlugin(store: Store, options: AddPluginOptions): Promise<void> {
  const { name, ownerName, softwareUrl, isDryRun } = options;
  await register(store, { isDryRun }, async (view, ids) => {
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
      message: (isDry) =>
        `${isDry ? 'would add' : 'added'} plugin ${id}, ${quote(name)}, of owner ${owner.id}, ${quote(owner.name)}, with ${charts} to ${store.name}` +
        (namesake === undefined
          ? ''
          : `; plugin ${namesake} has this name too, and is the one that is found by it`),
    };
  });
}

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
