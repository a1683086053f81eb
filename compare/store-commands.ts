/** Command lines that fill, read and change a store, in their order. */
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { type Command, commandOn } from './run-commands.ts';

/** Commands on a store that gets these archives, which are in the files `one.ndjson` and `two.ndjson`. */
export function storeCommands(archives: readonly string[]): readonly Command[] {
  const on = (line: string, rest: Omit<Command, 'argv'> = {}) => commandOn('work.db', line, rest);
  const [first = '', second = ''] = archives;
  const seen = [on('stats'), on('stats --json'), on('check'), on('export')];
  const shown = ['plugins', 'software', 'charts 1337', 'events 1337', 'charts 424242', 'events x'].flatMap(
    (what) => [on(`list ${what}`), on(`list ${what} --json`)],
  );
  const csv = (text: string, options = '--chart 1337/servers') =>
    on(`import --csv ${options} -`, { input: text });
  return [
    on('import one.ndjson two.ndjson', { reads: { 'one.ndjson': first, 'two.ndjson': second } }),
    ...seen,
    ...shown,
    on('import two.ndjson one.ndjson two.ndjson'),
    on('export'),
    on('import -', { input: gzipSync(first) }),
    on('import -', { input: zstdCompressSync(first) }),
    on('import -', { input: first.slice(0, 5000) }),
    on('export -'),
    ...['two.ndjson', 'none.txt'].map((file) => on(`mirror http://127.0.0.1:1 --plugins-file ${file}`)),
    ...[
      'x=y:z',
      '0=y:z',
      '1=Y:z',
      '1=y:',
      '1=y',
      '=',
      '1=y:z --software 1=x:y',
      '1=y:z --software 2=y:x',
    ].map((text) => on(`mirror http://127.0.0.1:1 --plugin 1 --software ${text}`)),
    ...['out.ndjson', 'out.ndjson.gz', 'out.ndjson.zst'].map((file) =>
      on(`export ${file}`, { writes: [file] }),
    ),
    on('export out.ndjson'),
    on('export out.ndjson --force', { writes: ['out.ndjson'] }),
    ...['work.db', 'work.db-wal', 'work.db-x', 'one.ndjson', '.', 'none/out.ndjson'].map((file) =>
      on(`export ${file}`),
    ),
    ...['work.db', 'work.db-x', 'out.ndjson', '.', 'none/copy.db'].map((file) => on(`backup ${file}`)),
    on('backup copy.db'),
    { argv: ['export', '--store', 'copy.db'] },
    { argv: ['check', '--store', 'sqlite:copy.db'] },
    on('restore copy.db'),
    on('backup -'),
    on('import copy.db'),
    on('serve --host 192.0.2.1 --port 0'),
    on('prune --after 2026-06-01 --before 2026-05-01'),
    { argv: ['restore', '-', '--store', 'restored.db'], input: first },
    { argv: ['export', '--store', 'restored.db'] },
    { argv: ['restore', '-', '--store', 'restored-2.db'], input: first.slice(0, 9000) },
    ...['copy.db', 'one.ndjson', 'out.ndjson.gz'].flatMap((file) => [
      { argv: ['restore', file, '--dry-run', '--store', `from-${file}.db`] },
      { argv: ['restore', file, '--store', `from-${file}.db`] },
      { argv: ['export', '--store', `from-${file}.db`] },
    ]),
    { argv: ['check', '--store', 'one.ndjson'] },
    { argv: ['import', 'one.ndjson', '--store', 'two.ndjson'] },
    csv('timestamp,value\n2026-06-01,5\n2026-06-02T12:30:00Z,6.5\n'),
    csv('1479799800,1\n1479801600,2\n'),
    csv('1479799800,1\n', '--plugin 1337 --chart servers --time-unit s'),
    csv('5138-11-16,1\n'),
    csv('5138-11-16,1\n', '--allow-future --chart 1337/servers'),
    csv('5138-11-16,1\n', '--chart 1337/nope'),
    csv('', '--chart 424242/x'),
    on('stats'),
    on('prune --after 2027-01-01 --dry-run'),
    on('prune --after 2027-01-01'),
    ...[
      'add software new --name New --dry-run',
      'add software new --name New',
      'add software new --name New',
      'add software velocity',
      'add software bukkit',
      'add software fabric --dry-run',
    ].map((line) => on(line)),
    ...[
      'add plugin --name Added --owner Someone --software bukkit --dry-run',
      'add plugin --name Added --owner Someone --software bukkit',
      'add plugin --name added --owner someone --software velocity',
      'add plugin --name ADDED --owner Another --software bukkit',
    ].map((line) => on(line)),
    ...[
      'add plugin --name x --owner y --software nope',
      'add plugin --name x --owner y --software bukkit --max-players 50 --dry-run',
      'add charts 1337 --dry-run',
      'add charts 1 --dry-run',
    ].map((line) => on(line)),
    ...[
      'add chart 1337/added --type simple_pie --title Added',
      'add chart 1337/added --type simple_pie --title Added',
      'add chart 1337/cloud --type own_type --title Own',
    ].map((line) => on(line)),
    ...[
      'add chart 1337/line --type single_linechart --title Line --line-name L',
      'add chart 424242/x --type simple_pie --title X',
      'add chart 1337/a/b --type simple_pie --title X',
    ].map((line) => on(line)),
    ...[
      'add event 1337 --title 9.9 --time 2026-06-01',
      'add event 1337 --title 9.9 --time 2026-06-01 --url https://example.org',
      'add event 424242 --title 9.9 --time 2026-06-01',
    ].map((line) => on(line)),
    ...[
      'add event 1337 --title Late --time 2999-01-01',
      'add event 1337 --title Late --time 2999-01-01 --allow-future',
      'remove event 1337 --time 2999-01-01',
    ].map((line) => on(line)),
    ...[
      'rename plugin 1337 --name Renamed --dry-run',
      'rename plugin 1337 --name Renamed',
      'rename plugin 1337 --name Renamed --owner Another',
      'rename plugin 424242 --name x',
    ].map((line) => on(line)),
    ...seen,
    ...shown,
    ...[
      'remove chart 1337/added --dry-run',
      'remove chart 1337/added',
      'remove chart 1337/added',
      'remove chart 424242/x',
      'remove plugin 8 --dry-run',
      'remove plugin 8',
      'remove plugin 8',
    ].map((line) => on(line)),
    ...[
      'remove software bukkit',
      'remove software new --dry-run',
      'remove software new',
      'remove software nope',
    ].map((line) => on(line)),
    on('export'),
    ...[
      '--before 2026-06-01 --chart 1337/servers',
      '--before 2026-06-01T12:00:00Z --plugin 1337',
      '--after 2026-06-29 --plugin 1',
      '--after 2026-05-01 --before 2026-06-01',
      '--before 2026-01-01',
    ].flatMap((what) => [on(`prune ${what} --dry-run`), on(`prune ${what}`)]),
    ...[
      '--before 2020-01-01 --plugin 424242',
      '--before 2020-01-01 --chart 1337/nope',
      '--before 2020-01-01 --chart 1337/servers --plugin 1',
    ].map((what) => on(`prune ${what}`)),
    ...seen,
    on('compact --dry-run'),
    on('compact'),
    on('check'),
    on('export'),
    on('import one.ndjson'),
    on('export'),
  ];
}
