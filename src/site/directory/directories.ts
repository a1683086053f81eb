/** The directory of a store, kept in memory from one request to the next. */
import type { Turns } from '../../http/turns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { type Catalogue, loadCatalogue } from './catalogue.ts';
import { Directory } from './directory.ts';
import { Kept } from './kept.ts';
import { loadLatestValues } from './latest-values.ts';

/** Access to the directories from a piece of work. */
export interface DirectoryAccess {
  readonly directories: Directories;
  readonly turns: Turns;
}

/** The directories of one site. What they give is of the state of the view. */
export class Directories {
  readonly #catalogue = new Kept<Catalogue>();
  readonly #directory = new Kept<Directory>();

  /** All plugins without values, for what asks for names alone: an import of points leaves it as it is. Rejects as the view does. */
  loadCatalogue(view: MetricsView, turns: Turns): Promise<Catalogue> {
    const generation = view.generation('catalogue');
    return this.#catalogue.get({ generation, turns, make: () => loadCatalogue(view, turns) });
  }

  /**
   * All plugins with their latest values. The first call after an import of data reads the latest points of all plugins. Rejects
   * as the view does.
   */
  read(view: MetricsView, turns: Turns): Promise<Directory> {
    const make = async () => {
      const catalogue = await this.loadCatalogue(view, turns);
      return new Directory(catalogue, await loadLatestValues(view, catalogue, turns));
    };
    return this.#directory.get({ generation: view.generation('data'), turns, make });
  }
}
