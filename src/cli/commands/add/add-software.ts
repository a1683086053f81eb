/** `add software`: adds a kind of servers, with its global plugin. */
import { findKnownSoftware } from '../../../collect/known-software.ts';
import { newSoftwareRecords } from '../../../collect/new-records.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import type { Store } from '../../../model/store.ts';
import { ownerNamed, register } from '../../register.ts';
import { counted } from '../../words.ts';

/** Options of {@link addSoftware}. */
interface AddSoftwareOptions {
  /** Left out, a known software has its own. */
  readonly name: string | undefined;
  readonly isDryRun: boolean;
}

/** The owner of global plugins. */
const globalOwner = 'Admin';

/** Adds a software, to a new store if there is none, and prints its id. */
export async function addSoftware(store: Store, url: string, options: AddSoftwareOptions): Promise<void> {
  const { name = findKnownSoftware(url)?.name ?? url, isDryRun } = options;
  await register(store, { isDryRun, makesStore: true }, async (view, ids) => {
    const there = (await view.listSoftware()).find((software) => software.url === url);
    if (there !== undefined)
      throw new AppError('conflict', `there is a software ${quote(url)} already, with the id ${there.id}`);
    const records = newSoftwareRecords({ url, name }, ids, await ownerNamed(globalOwner, view, ids));
    const chartCount = records.filter(({ kind }) => kind === 'chart').length;
    const globalPlugin =
      records.length > 1 ? ` with the global plugin ${ids.pluginId}, ${counted(chartCount, 'chart')},` : '';
    return {
      records,
      result: String(ids.softwareId),
      message: (isDry) =>
        `${isDry ? 'would add' : 'added'} software ${ids.softwareId}, ${quote(name)},${globalPlugin} to ${store.name}`,
    };
  });
}
