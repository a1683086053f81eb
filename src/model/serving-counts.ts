/** What a process that serves the interface has counted; the port between who counts and who shows it. */

/** Where the bytes of a good answer came from. */
export type AnswerOrigin = 'remembered' | 'shared' | 'read';

/** Counted since the process began, save what is said to be so now. */
export interface ServingCounts {
  /** How many requests were answered with each status, by status. */
  readonly requestCounts: Readonly<Record<string, number>>;
  /** Bytes of the bodies of good answers, as they were sent. */
  readonly bodyBytes: number;
  /** How many good answers were remembered, were just being made for somebody else, or were read from the store. */
  readonly originCounts: Readonly<Record<AnswerOrigin, number>>;
  /** How often a change of the store was noticed. */
  readonly storeChangeCount: number;
  /** How many answers are remembered now. */
  readonly rememberedCount: number;
  /** What they take, in bytes. */
  readonly rememberedBytes: number;
}
