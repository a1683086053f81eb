/** A directory of a test's own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory; disposing of it removes it with everything inside. */
export interface TemporaryDirectory extends Disposable {
  readonly path: string;
  /** The path of an entry. */
  readonly at: (name: string) => string;
}

/** Makes a directory under the system's one for such. */
export function temporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), 'plugin-metrics-'));
  return {
    path,
    at: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
