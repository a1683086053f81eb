/** Two of the same: one for each build. */

/** One of the earlier build, one of the present. */
export interface Pair<Of> {
  readonly earlier: Of;
  readonly present: Of;
}

/** Does the same with both, at the same time. */
export async function bothOf<From, To>(
  { earlier, present }: Pair<From>,
  run: (one: From) => Promise<To>,
): Promise<Pair<To>> {
  const [first, second] = await Promise.all([run(earlier), run(present)]);
  return { earlier: first, present: second };
}
