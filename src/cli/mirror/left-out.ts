/** Messages about what a run of a mirror left out on purpose. */
import type { LeftOutListener } from '../../upstream/leaving-out.ts';
import { counted, grouped } from '../progress.ts';

/** Most names in a message; the others are counted. */
const namedCount = 5;

/** Collects what is left out. */
export class LeftOut implements LeftOutListener {
  readonly #removed = new Set<string>();
  /** Points by the name of their chart. */
  readonly #future = new Map<string, number>();

  readonly addRemoved = (name: string): void => {
    this.#removed.add(name);
  };

  readonly addFuture = (name: string, count: number): void => {
    this.#future.set(name, count);
  };

  /** One line for each reason, with the option that copies what is left out. */
  lines(): readonly string[] {
    const lines: string[] = [];
    if (this.#removed.size > 0)
      lines.push(
        `left out what was removed from the store: ${listOf([...this.#removed])}; --again copies it`,
      );
    if (this.#future.size > 0) {
      const count = [...this.#future.values()].reduce((sum, one) => sum + one, 0);
      const charts = [...this.#future].map(([name, one]) => `${grouped(one)} of chart ${name}`);
      const what = `${counted(count, 'point')} more than a day ahead of the clock`;
      lines.push(`left out ${what}: ${listOf(charts)}; --allow-future copies them`);
    }
    return lines;
  }
}

function listOf(names: readonly string[]): string {
  const restCount = names.length - namedCount;
  const named = names.slice(0, namedCount).join(', ');
  return restCount > 0 ? `${named} and ${grouped(restCount)} more` : named;
}
