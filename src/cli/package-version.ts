/** Version and address of this package, from package.json. */
import { readFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);

/** Version of the program, and the address of the project if it has one. */
export const { version, homepage } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly version: string;
  readonly homepage?: string;
};
