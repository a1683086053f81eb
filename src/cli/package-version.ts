/** Version of this package, from package.json. */
import { readFileSync } from 'node:fs';

const file = new URL('../../package.json', import.meta.url);

/** Version of the program. */
export const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
