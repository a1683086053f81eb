/**
 * Imports wrong lines, each into a new store. `node test/archive/wrong-lines/import-each.ts DIRECTORY
 * SIZE_MIB [KIND]` prints a JSON array for each: its kind, the message, the CPU time in milliseconds, and the
 * peak memory of the process so far in bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importArchives } from '../../../src/cli/commands/import.ts';
import { parseStoreName } from '../../../src/cli/store-name.ts';
import { beforeWrongLine, wrongLines } from './kinds.ts';

const [directory = '', sizeMib = '', onlyKind] = process.argv.slice(2);
const file = join(directory, 'wrong.ndjson');
for (const [kind, [line]] of Object.entries(wrongLines)) {
  if (onlyKind !== undefined && kind !== onlyKind) continue;
  writeFileSync(file, Buffer.concat([Buffer.from(beforeWrongLine), line(Number(sizeMib) * 1024 * 1024)]));
  const cpuBefore = process.cpuUsage();
  const error = await importArchives(parseStoreName(join(directory, 'wrong.db')), [file]).catch(
    (thrown) => thrown,
  );
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = Math.round((user + system) / 1000);
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  console.log(
    JSON.stringify([kind, `${error?.place}: ${error?.message}`.replace(file, 'FILE'), cpuMs, peakBytes]),
  );
}
