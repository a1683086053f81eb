/** The directory of a store, kept in memory from one request to the next. */
import { AppError } from '../../model/app-error.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { Directory } from './directory.ts';
import { Kept } from './kept.ts';
import { readLatestValues } from './latest-values.ts';

/**
 * All plugins with their latest values, no older than the last finished import. The first call after an import of data
 * reads the latest points of all plugins, in slices.
 * @throws AppError `unavailable` where the store cannot be read.
 */
export async function readDirectory(reader: MetricsReader): Promise<Directory> {
  return keptOf(reader).directory.get();
}

/**
 * All plugins without values, for what asks for names alone: an import of points leaves it as it is.
 * @throws AppError `unavailable` where the store cannot be read.
 */
export async function readPluginCatalogue(reader: MetricsReader): Promise<Catalogue> {
  return keptOf(reader).catalogue.get();
}

interface KeptOfStore {
  readonly catalogue: Kept<Catalogue>;
  readonly directory: Kept<Directory>;
}

const keptOfStores = new WeakMap<MetricsReader, KeptOfStore>();

function keptOf(reader: MetricsReader): KeptOfStore {
  if (reader.unreachableMs() > 0) {
    throw new AppError('unavailable', 'the store cannot be read at the moment', {
      kind: 'store-unavailable',
    });
  }
  const found = keptOfStores.get(reader);
  if (found !== undefined) return found;
  const catalogue = new Kept({
    generation: () => reader.generation('catalogue'),
    make: () => readCatalogue(reader),
  });
  const directory = new Kept({
    generation: () => reader.generation('data'),
    make: () => makeDirectory(reader, catalogue),
  });
  const kept = { catalogue, directory };
  keptOfStores.set(reader, kept);
  return kept;
}

/** How often plugins and values are read anew where an import has changed the plugins between the two. */
const maxRepeats = 3;

async function makeDirectory(reader: MetricsReader, kept: Kept<Catalogue>): Promise<Directory> {
  for (let repeats = 0; ; repeats++) {
    const generation = reader.generation('catalogue');
    const catalogue = await kept.get();
    const values = await readLatestValues(reader, catalogue);
    // The same plugins before and after: plugins and values are of one state.
    if (reader.generation('catalogue') === generation || repeats >= maxRepeats)
      return new Directory(catalogue, values);
  }
}
