/** `publish`: writes the pages of plugins as files that any static host serves. */
import { maxPublished } from '../../model/plugin-list.ts';
import type { PluginChoice } from '../../publish/publish.ts';
import { command } from '../command.ts';
import { counted, printResult, secondsText, startCalledStatus } from '../output.ts';
import { fileName, flagSetting, pluginId, refuseSameFile, several, storeSetting } from '../settings.ts';
import { stopOnSignals } from '../stopping.ts';
import { serveSettings, setFonts } from './serve.ts';

export const publish = command({
  summary: 'write pages, pictures, badges, feeds and data of plugins as files for a static host',
  settings: {
    store: storeSetting,
    plugin: {
      help: `plugins to publish, separated by commas; may be repeated; at most ${maxPublished}`,
      isRepeatable: true,
      ...several(pluginId),
    },
    owner: { help: `the owner whose plugins to publish, at most ${maxPublished}`, ...pluginId },
    all: { ...flagSetting('publish all plugins'), isOptionOnly: true },
    publicUrl: {
      ...serveSettings.publicUrl,
      help: 'the address that the folder will have, for feeds, the sitemap and the page of errors',
      isRequired: true,
    },
    png: flagSetting('make each picture as PNG too'),
  },
  argument: {
    name: '<DIR>',
    help: 'the folder to write to; files that publish has not written stay',
    ...fileName,
  },
  async run({ store, plugin, owner, all, publicUrl, png }, path, refuse) {
    const selections: PluginChoice[] = [
      plugin && { pluginIds: plugin },
      owner === undefined ? undefined : { ownerId: owner },
      all ? { isAll: true as const } : undefined,
    ].filter((one) => one !== undefined);
    const [selection] = selections;
    if (selection === undefined || selections.length > 1)
      return refuse('say which plugins to publish: either --plugin ID, --owner ID or --all');
    if (plugin !== undefined && plugin.length > maxPublished)
      refuse(
        `--plugin: it must be at most ${maxPublished} plugins, got ${plugin.length}; --all publishes more`,
      );
    refuseSameFile(refuse, store, path);
    const startedAt = performance.now();
    await setFonts();
    const { publishFiles } = await import('../../publish/publish.ts');
    await using reader = await store.openReader();
    using _ = stopOnSignals(`the next run completes ${path}`);
    using status = startCalledStatus('publishing');
    const { onProgress } = status;
    const counts = await publishFiles(reader, { path, selection, publicUrl, hasPng: png, onProgress });
    const { pluginCount, fileCount, changedCount, removedCount } = counts;
    printResult(
      `published ${counted(pluginCount, 'plugin')} to ${path}: ${counted(fileCount, 'file')}, ${changedCount} new or changed, ${removedCount} removed, in ${secondsText(performance.now() - startedAt)}`,
    );
  },
});
