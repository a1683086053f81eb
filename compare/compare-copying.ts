/** Compares mirrors of the servers, and collectors. */
import { askAll } from './ask-both.ts';
import { readCatalogue } from './catalogue.ts';
import { compareAdmin, compareStore, importData } from './compare-servers.ts';
import { archivesOf } from './data.ts';
import { bothOf } from './pair.ts';
import { reportRequests } from './requests/reports.ts';
import type { Run } from './run-commands.ts';

/** Compares them, the collectors with the store of the mirrors. */
export async function compareCopying(run: Run): Promise<void> {
  const store = await importData(run, 'small');
  const servers = await bothOf(run.programs, (program) => program.serve(['--store', store]));
  const urls = { earlier: servers.earlier.port, present: servers.present.port };
  const mirror = ['mirror', 'http://127.0.0.1:PORT', '--rate', '1000', '--store', 'mirror.db'];
  const lines = [
    '--plugin 1337 --plugin 3',
    '--plugin 1337',
    '--plugin 424242,3',
    '--plugin 1 --max-elements 5',
    '--plugin 2 --trim-leading-zeros --history 1d',
    '--all',
    '--all --again',
  ];
  for (const line of lines) {
    const argv = [...mirror, ...line.split(' ')];
    const outcomes = await bothOf(
      {
        earlier: [run.programs.earlier, urls.earlier],
        present: [run.programs.present, urls.present],
      } as const,
      ([program, port]) => program.run(argv.map((word) => word.replace('PORT', String(port)))),
    );
    run.findings.judge({ kind: 'command mirror', asked: argv.join(' '), ...outcomes });
  }
  await bothOf(servers, (server) => server.stop());
  await compareStore(run, 'mirror.db');
  await compareCollectors(run);
}

async function compareCollectors(run: Run): Promise<void> {
  const { programs, findings, seed } = run;
  const servers = await bothOf(programs, (program) =>
    program.serve(['--store', 'mirror.db', '--admin-port', '0'], 'collect'),
  );
  const asking = { ...run, servers, dataName: 'collect' };
  // The first is the global plugin.
  const [, plugin] = readCatalogue(archivesOf('small', seed)).plugins.filter(
    ({ softwareUrl }) => softwareUrl === 'bukkit',
  );
  await askAll(asking, reportRequests(plugin?.id ?? 0));
  await compareAdmin(asking);
  const outcomes = await bothOf(servers, (server) => server.stop());
  findings.judge({ kind: 'collect', asked: 'collect', ...outcomes });
}
