/** Options of the interfaces. */

/** The options of the interfaces. */
export interface ApiOptions {
  /**
   * True adds `software` and `isGlobal` to plugins, and `idCustom` to charts. interface.md does not have them, but bstats.org sends
   * them, and a few clients need them.
   */
  readonly hasLiveFields: boolean;
}
