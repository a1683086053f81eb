/** Version and address of this package, from package.json. */
import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}

/** Version of the program. */
export function packageVersion(): string {
  return readPackage().version;
}

/** `User-Agent` of this program: name, version, and the address of the project if it has one. */
export function userAgent(): string {
  const { version, homepage, repository } = readPackage();
  const address = homepage ?? (typeof repository === 'string' ? repository : repository?.url);
  return `plugin-metrics/${version}${address === undefined ? '' : ` (+${address.replace(/^git\+/, '')})`}`;
}

function readPackage(): Package {
  const file = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Package;
}
