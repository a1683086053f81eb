/** The lock file has the packages for all platforms, so that `npm ci` works everywhere. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
);

/** Finds the folder where a dependency of the package at `path` is locked: its own, or one further up. */
function lockedPath(path: string, name: string): string | undefined {
  const folders = [
    path,
    ...path.split(/\/?node_modules\//).map((_, depth, parts) => parts.slice(0, depth).join('/node_modules/')),
  ];
  const candidates = folders.map((folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}`);
  return candidates.find((candidate) => lock.packages[candidate]?.version !== undefined);
}

test('every optional dependency of every locked package is locked too, for every platform', () => {
  let optionalCount = 0;
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    for (const name of Object.keys(optionalDependencies)) {
      optionalCount++;
      assert.notEqual(lockedPath(path, name), undefined, `${path || 'package.json'} needs ${name}`);
    }
  }
  assert.ok(optionalCount > 20, `${optionalCount} optional dependencies were looked at`);
});
