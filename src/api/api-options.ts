/** What `serve` may be told about the interface. */

/** The options of the interface. */
export interface ApiOptions {
  /**
   * Whether plugins have `software` and `isGlobal`, and charts `idCustom`: the best-known live server sends them, though
   * interface.md does not have them, and a few clients need them.
   */
  readonly hasLiveFields: boolean;
}
