/** `export`: writes a whole store as an archive. */
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import { command } from '../command.ts';
import { printMessage, startProgress } from '../output.ts';
import { fileName, flagSetting, refuseSameFile, storeSetting } from '../settings.ts';

export const exportCommand = command({
  summary: 'export the whole store as an archive',
  settings: { store: storeSetting, force: flagSetting('replace FILE if it exists') },
  argument: {
    name: '[FILE]',
    help: 'the archive to write, compressed if it ends in .gz or .zst; - is standard output',
    ...fileName,
  },
  async run({ store, force }, file: string | undefined = '-', refuse) {
    refuseSameFile(refuse, store, file);
    const { openArchiveWriter } = await import('../../archive/archive-writer.ts');
    const counts = noCounts();
    await using reader = await store.openReader();
    await using writer = await openArchiveWriter(file, { isReplacing: force });
    let plugin = { id: 0, doneCount: 0 };
    using progress = startProgress({
      verbs: ['exporting', 'exported'],
      counts,
      // All plugins come before the first chart.
      share: () => (plugin.id === 0 ? 0 : plugin.doneCount / Math.max(1, counts.plugin)),
    });
    await copyRecords(reader, writer, counts, ({ pluginId }) => {
      if (pluginId !== plugin.id) plugin = { id: pluginId, doneCount: plugin.doneCount + 1 };
    });
    await writer.commit();
    printMessage(`${progress.summary()} to ${file === '-' ? '<stdout>' : file}`);
  },
});
