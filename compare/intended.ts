/** The differences from earlier commits that are meant. `npm run compare` fails for every other one. */

/** A difference that is meant. */
export interface MeantDifference {
  /**
   * Matches what was asked, as the report shows it: `random: GET /embed/1.svg?theme=dark`, `import
   * bad.ndjson`.
   */
  readonly asked: RegExp;
  /** Matches the part that differs: `status`, `header vary`, `body`, `exit code`, `stdout`, `stderr`. */
  readonly part: RegExp;
  /**
   * Texts that the earlier build had; patterns have the flag `g`. Without these texts of the earlier build
   * and those of `to` of the present build, the part must be the same. If both are left out, it may differ in
   * any way.
   */
  readonly from?: string | RegExp;
  /** Texts that the present build has. */
  readonly to?: string | RegExp;
  /** The reason, for people: what became better, or what was given up. */
  readonly reason: string;
}

/** Every difference that is meant. The report names those that matched nothing: they can go. */
export const meantDifferences: readonly MeantDifference[] = [];
