/** A temporary directory for one test. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** An empty directory; disposing of it removes it with everything inside. */
export interface TemporaryDirectory extends Disposable {
  readonly path: string;
  /** The path of an entry. */
  readonly at: (name: string) => string;
  /** Lists the names of the entries with this prefix. */
  readonly entriesLike: (prefix: string) => string[];
}

/** Makes a directory in the system's temporary folder. */
export function temporaryDirectory(parent = tmpdir()): TemporaryDirectory {
  const path = mkdtempSync(join(parent, 'plugin-metrics-'));
  return {
    path,
    at: (name) => join(path, name),
    entriesLike: (prefix) => readdirSync(path).filter((name) => name.startsWith(prefix)),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Makes a directory that is removed after the tests of the file. */
export function directoryOfFile(parent?: string): TemporaryDirectory {
  const directory = temporaryDirectory(parent);
  after(() => directory[Symbol.dispose]());
  return directory;
}
