/** The directory of a store, cached in memory. */
import type { Turns } from '../http/turns.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import { type Catalogue, loadCatalogue } from './catalogue.ts';
import { Directory } from './directory.ts';
import { loadLatestValues } from './latest-values.ts';
import { StateCache } from './state-cache.ts';

/** The directories and the turns of the work that uses them. */
export interface DirectoryAccess {
  readonly directories: Directories;
  readonly turns: Turns;
}

/** The directories of one site. Results match the state of the view. */
export class Directories {
  readonly #catalogue = new StateCache<Catalogue>();
  readonly #directory = new StateCache<Directory>();

  /** Loads all plugins without values. An import of points does not invalidate it. Rejects as the view does. */
  loadCatalogue(view: MetricsView, turns: Turns): Promise<Catalogue> {
    const generation = view.generation('catalogue');
    return this.#catalogue.get({ generation, turns, make: () => loadCatalogue(view, turns) });
  }

  /**
   * Loads all plugins with their latest values. The first call after an import reads the latest points of all plugins. Rejects as
   * the view does.
   */
  load(view: MetricsView, turns: Turns): Promise<Directory> {
    const make = async () => {
      const catalogue = await this.loadCatalogue(view, turns);
      return new Directory(catalogue, await loadLatestValues(view, catalogue, turns));
    };
    return this.#directory.get({ generation: view.generation('data'), turns, make });
  }
}
