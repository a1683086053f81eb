/** The data that both programs get, as archives. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { longArchive, oddArchives } from '../catalogues/odd-catalogue.ts';

/** The names of data; `small` is random too, with fewer points. */
export type DataName = 'sample' | 'random' | 'small' | 'long' | 'empty';

const sample = fileURLToPath(new URL('../sample/sample.ndjson.gz', import.meta.url));

/** The archives of data, in the order of their import. */
export function archivesOf(name: DataName, seed: string): readonly string[] {
  switch (name) {
    case 'sample':
      return [gunzipSync(readFileSync(sample)).toString()];
    case 'random':
      return oddArchives(seed);
    case 'small':
      return oddArchives(seed, 200);
    case 'long':
      return [longArchive()];
    case 'empty':
      return ['{"record":"archive","version":1}\n{"record":"end","records":0}\n'];
  }
}
