/**
 * The file of settings of reporters: lines of `name=value`, the same as that of the reporter for Java, which
 * reads it as `java.util.Properties`.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Settings of the people who run a program. */
export interface ReporterSettings {
  readonly isEnabled: boolean;
  readonly isLogging: boolean;
  readonly serverId: string;
}

/** Loads the settings; makes the file if it is not there. Rejects as the file system does. */
export async function loadSettings(file: string): Promise<ReporterSettings> {
  // A name ends with a colon, an equals sign or white space.
  const lines = (await readOrMake(file))
    .split(/[\r\n]+/)
    .map((line) => /^\s*([^\s:=]*)\s*[:=]?\s*(.*?)\s*$/.exec(line));
  const settingOf = (name: string) => lines.findLast((line) => line?.[1] === name)?.[2] ?? '';
  const serverId = settingOf('server-id');
  return {
    // Anything but `true` is a no.
    isEnabled: settingOf('enabled') === 'true' && serverId !== '',
    isLogging: settingOf('log') === 'true',
    serverId,
  };
}

async function readOrMake(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const text =
    '# Programs report how they are used (versions, kind of system) to the collectors of their authors.\n' +
    '# No names, no addresses. With enabled=false nothing is sent. With log=true every report is logged.\n' +
    `enabled=true\nlog=false\nserver-id=${randomUUID()}\n`;
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    // It is there, since long or since this moment.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}
