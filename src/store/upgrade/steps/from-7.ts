/**
 * From version 7, of 0.3.0 and 0.3.1, to that of 0.4.0: windows of removed points are new.
 *
 * Until 0.4.0 is released, an issue that changes tables extends this step and raises `storeVersion`, so that the number of the release is no number of a
 * commit before it: a store of such a commit is refused, because `releasedVersions` does not have it. The release adds its version there, and the next
 * change of tables is a step of its own, which must not depend on what this file reads from the tables of its day.
 */
import { tables } from '../../tables.ts';
import type { Step } from '../step.ts';

export const from7: Step = {
  async run({ createTable }) {
    await createTable(tables.removedWindow);
  },
};
