/** Commands of the program as text to be pasted into a shell. */
import { resolve } from 'node:path';
import type { Store } from '../model/store.ts';

/** The checkout, where the program runs from its sources. */
const checkout = import.meta.filename.endsWith('.ts') ? resolve(import.meta.dirname, '../..') : undefined;

/**
 * Renders a command on a store: with `npm run` in a checkout, where that finds it, otherwise with the name of the program. The name of a
 * store on a server is without its password, unless a variable holds it.
 * @param isStoreVariable true if `PLUGIN_METRICS_STORE` named the store.
 */
export function shellCommand(
  words: readonly string[],
  { file, name }: Store,
  isStoreVariable: boolean,
): string {
  const program = process.cwd() === checkout ? 'npm run --silent cli --' : 'plugin-metrics';
  const serverName = isStoreVariable ? '"$PLUGIN_METRICS_STORE"' : shellWord(name);
  const storeName = file === undefined ? serverName : shellWord(`sqlite:${file.path}`);
  return [program, ...words.map(shellWord), '--store', storeName].join(' ');
}

function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
