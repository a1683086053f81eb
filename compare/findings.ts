/** Judges outcomes, and keeps the differences that are not meant. */
import type { MeantDifference } from './intended.ts';
import { type Difference, differencesBetween, type Outcome } from './outcome.ts';

/** A difference with what was asked. */
export interface Finding extends Difference {
  /** The kind of request or command. */
  readonly kind: string;
  readonly asked: string;
}

/** Outcomes of the same request or command. */
export interface Outcomes {
  readonly kind: string;
  readonly asked: string;
  readonly earlier: Outcome;
  readonly present: Outcome;
}

/** Findings of a comparison, while they are made. */
export class Findings {
  readonly #meant: readonly MeantDifference[];
  readonly #used = new Set<MeantDifference>();
  readonly #found: Finding[] = [];
  #askedCount = 0;
  #meantCount = 0;

  constructor(meant: readonly MeantDifference[]) {
    this.#meant = meant;
  }

  /** Compares two outcomes. */
  judge({ kind, asked, earlier, present }: Outcomes): void {
    this.#askedCount++;
    for (const difference of differencesBetween(earlier, present)) {
      const rest = this.#withoutMeant(asked, difference);
      if (rest === undefined) this.#meantCount++;
      else this.#found.push({ kind, asked, ...rest });
    }
  }

  /** The differences that are not meant, in the order in which they were found. */
  get found(): readonly Finding[] {
    return this.#found;
  }

  /** The number of requests and commands that were compared. */
  get askedCount(): number {
    return this.#askedCount;
  }

  /** The number of differences that are meant. */
  get meantCount(): number {
    return this.#meantCount;
  }

  /** Entries of the list of meant differences that matched nothing. */
  get unused(): readonly MeantDifference[] {
    return this.#meant.filter((entry) => !this.#used.has(entry));
  }

  /** The difference without what is meant of it; undefined if nothing is left. */
  #withoutMeant(asked: string, { part, ...texts }: Difference): Difference | undefined {
    let { earlier, present } = texts;
    // A HEAD request differs as its GET does.
    const request = asked.replace(/\bHEAD \//, 'GET /');
    for (const entry of this.#meant) {
      if (!entry.part.test(part) || !entry.asked.test(request)) continue;
      const { from, to } = entry;
      const isWhole = from === undefined && to === undefined;
      const rest = isWhole ? [] : [cut(earlier, from), cut(present, to)];
      const [one = '', other = ''] = rest;
      if (one !== earlier || other !== present) this.#used.add(entry);
      [earlier, present] = [one, other];
    }
    return earlier === present ? undefined : { part, earlier, present };
  }
}

function cut(text: string, what: MeantDifference['from']): string {
  return what === undefined ? text : text.replaceAll(what, '');
}
