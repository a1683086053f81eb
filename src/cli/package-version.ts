/** The version of this package. */
import { readFileSync } from 'node:fs';

/** As package.json says it. */
export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return version;
}
