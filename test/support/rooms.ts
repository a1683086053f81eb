/**
 * Runs the tests of whole rooms in one process: a process for each file costs a quarter of a second of CPU
 * time.
 */
import { globSync } from 'node:fs';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };

const directory = fileURLToPath(new URL('..', import.meta.url));
const [, excluded = ''] = /!\(([^)]+)\)/.exec(manifest.scripts.test) ?? [];

/** The rooms whose files `npm test` does not run directly. */
export const sharedRooms: readonly string[] = excluded.split('|');

/** Declares the tests of rooms. Each file is a suite, so that its hooks apply to it alone. */
export function describeRooms(rooms: readonly string[]): void {
  for (const file of globSync(`@(${rooms.join('|')})/**/*.test.ts`, { cwd: directory }).toSorted())
    describe(file, async () => {
      await import(`../${file}`);
    });
}

/** The rooms of each shared process. The other rooms contain, encode or count data. */
export const servingRooms: readonly string[] = ['api', 'http'];
export const drawingRooms: readonly string[] = ['draw', 'query', 'site'];
export const askingRooms: readonly string[] = ['client', 'mirror', 'upstream'];
export const collectingRooms: readonly string[] = ['collect'];
