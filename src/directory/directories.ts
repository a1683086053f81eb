/** The directory of a store, cached in memory. */
import type { MetricsView } from '../model/metrics-reader.ts';
import { type Catalogue, loadCatalogue } from './catalogue.ts';
import { Directory } from './directory.ts';
import { loadLatestValues } from './latest-values.ts';
import { StateCache } from './state-cache.ts';

/** The directories of one site. Results match the state of the view. */
export class Directories {
  readonly #catalogue = new StateCache<Catalogue>();
  readonly #directory = new StateCache<Directory>();

  /** Loads all plugins without values. An import of points does not invalidate it. Rejects as the view does. */
  loadCatalogue(view: MetricsView): Promise<Catalogue> {
    const generation = view.generation('catalogue');
    return this.#catalogue.get({ generation, make: () => loadCatalogue(view) });
  }

  /**
   * Loads all plugins with their latest values. The first call after an import reads the latest points of all plugins. Rejects as
   * the view does.
   */
  load(view: MetricsView): Promise<Directory> {
    const make = async () => {
      const catalogue = await this.loadCatalogue(view);
      return new Directory(catalogue, await loadLatestValues(view, catalogue));
    };
    return this.#directory.get({ generation: view.generation('data'), make });
  }
}
