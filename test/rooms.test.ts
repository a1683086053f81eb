// The rooms that `npm test` leaves to this file run in one process: a process for each file costs a quarter of a second of CPU time.
import { globSync } from 'node:fs';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };

const directory = fileURLToPath(new URL('.', import.meta.url));
const [, rooms] = /!\(([^)]+)\)/.exec(manifest.scripts.test) ?? [];

// Suites, so that the hooks of a file are its own.
for (const file of globSync(`@(${rooms})/**/*.test.ts`, { cwd: directory }).toSorted())
  describe(file, async () => {
    await import(`./${file}`);
  });
