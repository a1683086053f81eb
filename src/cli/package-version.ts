/** Version and address of this package, from package.json. */
import { readOwnFile } from '../runtime/own-program.ts';

/** Version of the program, and the address of the project if it has one. */
export const { version, homepage } = JSON.parse(readOwnFile('package.json').toString()) as {
  readonly version: string;
  readonly homepage?: string;
};
