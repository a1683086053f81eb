/** `add software`: adds a kind of servers, with its global plugin. */
import { findKnownSoftware, knownSoftwareUrls } from '../../../collect/known-software.ts';
import { newSoftwareRecords } from '../../../collect/new-records.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import { softwareUrlSchema } from '../../../model/software.ts';
import { command } from '../../command.ts';
import { ownerNamed, register } from '../../register.ts';
import { changeSettings, matching, parseName } from '../../settings.ts';
import { counted } from '../../words.ts';

/** The owner of global plugins. */
const globalOwner = 'Admin';

const parseUrl = matching(softwareUrlSchema);

export const addSoftware = command({
  summary: `a kind of servers, with its global plugin; prints its id. Known: ${knownSoftwareUrls().join(', ')}`,
  settings: {
    ...changeSettings,
    name: {
      placeholder: 'NAME',
      help: 'the name that people see; must be given for a software that this program does not know',
      parse: parseName,
    },
  },
  argument: {
    name: '<URL>',
    help: 'its name in addresses, such as bukkit',
    parse: (text) => parseUrl(text),
  },
  async run({ store, name: givenName, dryRun }, url, refuse) {
    const name =
      givenName ??
      findKnownSoftware(url)?.name ??
      refuse(`${url} is no software that this program knows: give it a name with --name NAME`);
    await register({ store, dryRun, makesStore: true }, async (view, ids) => {
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
        message: ({ add }) =>
          `${add} software ${ids.softwareId}, ${quote(name)},${globalPlugin} to ${store.name}`,
      };
    });
  },
});
