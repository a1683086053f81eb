/** Imports of the archives and CSV files that the tests have refused. */
import { csvFiles } from '../test/archive/csv/csv-files.ts';
import { trailingArchives, truncatedArchives } from '../test/archive/damaged-archives.ts';
import { refusedArchives } from '../test/archive/refused-archives.ts';
import { beforeWrongLine, wrongLines } from '../test/archive/wrong-lines/kinds.ts';
import {
  catalogue,
  historyCatalogue,
  refusedHistories,
  refusedOnCatalogue,
} from '../test/contracts/refused-records.ts';
import { archiveText, chartLine, pastText } from '../test/support/archive-text.ts';
import { type Command, commandOn } from './run-commands.ts';

/** A file that `import` refuses, and what it is. */
interface RefusedFile {
  readonly what: string;
  readonly bytes: Uint8Array;
  /** Options for CSV files. */
  readonly options?: readonly string[];
}

/** A few cuts of a compressed archive stand for those at each byte. */
const cutStep = 31;
/** The size of lines whose size does not matter. */
const wrongLineBytes = 2000;

/** Every import that is refused. An archive must make no store; a CSV file is for a chart that is there. */
export function refusedCommands(): readonly Command[] {
  const store = 'refused.db';
  const imports = listRefusedFiles().map(({ what, bytes, options }, index): Command => {
    const file = `refused/${index}`;
    const own = `refused-${index}`;
    const argv = ['import', file, '--store', options === undefined ? `${own}.db` : store, ...(options ?? [])];
    return { argv, name: `import of ${what}`, reads: { [file]: bytes }, leaves: own };
  });
  return [
    commandOn(store, 'import refused/catalogue', { reads: { 'refused/catalogue': archiveText(catalogue) } }),
    ...imports,
    commandOn(store, 'export'),
  ];
}

function listRefusedFiles(): readonly RefusedFile[] {
  return [
    ...refusedArchives,
    ...trailingArchives(1).map(({ what, trailer, bytes }) => ({
      what: `${what} before ${JSON.stringify(trailer)}`,
      bytes,
    })),
    ...Object.entries(truncatedArchives).flatMap(([what, cuts]) =>
      cuts
        .filter((_, length) => length % cutStep === 0)
        .map((bytes) => ({ what: `${what} cut at ${bytes.length} bytes`, bytes })),
    ),
    ...refusedOnCatalogue.map(([what, lines]) => ({
      what,
      bytes: Buffer.from(archiveText([...catalogue, ...lines])),
    })),
    ...refusedHistories.map(([what, line]) => ({
      what,
      bytes: Buffer.from(pastText([...historyCatalogue, chartLine(), line])),
    })),
    ...Object.entries(wrongLines).map(([what, [line]]) => ({
      what,
      bytes: Buffer.concat([Buffer.from(beforeWrongLine), line(wrongLineBytes)]),
    })),
    ...[Date.UTC(5138, 10, 16), 8.64e15].map((time) => ({
      what: `a point at ${time}`,
      bytes: Buffer.from(
        archiveText([
          ...catalogue,
          `{"record":"data","pluginId":7,"chartId":"players","data":[[${time},1]]}`,
        ]),
      ),
    })),
    ...csvFiles.flatMap(({ name, bytes, options = {}, line }) => {
      const { timeUnit, ...others } = options;
      if (line === undefined || Object.keys(others).length > 0) return [];
      const unit = timeUnit === undefined ? [] : ['--time-unit', timeUnit];
      return { what: `CSV ${name}`, bytes, options: ['--csv', '--chart', '7/players', ...unit] };
    }),
  ];
}
