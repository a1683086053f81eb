/** `export`: writes a whole store as an archive. */
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import { command } from '../command.ts';
import { printMessage, startProgress } from '../output.ts';
import { flag, refuseSameFile, storeSetting } from '../settings.ts';

export const exportCommand = command({
  summary: 'export the whole store as an archive',
  settings: { store: storeSetting, force: flag('replace FILE if it is there already') },
  argument: {
    name: '[FILE]',
    help: 'the archive to write, compressed if it ends in .gz or .zst; - is standard output',
  },
  async run({ store, force }, file: string | undefined = '-', refuse) {
    refuseSameFile(refuse, store, file);
    const { openArchiveWriter } = await import('../../archive/archive-writer.ts');
    const counts = noCounts();
    await using reader = await store.openReader();
    await using writer = await openArchiveWriter(file, { isReplacing: force });
    using progress = startProgress({ verb: 'exported', counts });
    await copyRecords(reader, writer, counts);
    await writer.commit();
    printMessage(`${progress.summary()} to ${file === '-' ? '<stdout>' : file}`);
  },
});
