/** Small disks in memory for a test. They need root. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';

/**
 * Mounts a disk in memory, which is unmounted and deleted when it is disposed of. Throws an Error with the
 * reason if that is not permitted.
 */
export function mountMemory(path: string, sizeBytes: number): Disposable & { readonly path: string } {
  mkdirSync(path);
  mount(['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'none', path]);
  return { path, [Symbol.dispose]: () => remove(path) };
}

function mount(argv: readonly string[]): void {
  try {
    execFileSync('mount', argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (cause) {
    throw new Error(`this test needs root and the right to mount: mount ${argv.join(' ')} failed`, { cause });
  }
}

function remove(path: string): void {
  execFileSync('umount', [path]);
  rmSync(path, { recursive: true });
}
