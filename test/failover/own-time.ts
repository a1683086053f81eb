/** Time as it passes for this process: what a busy machine gives to other processes meanwhile does not count. */

const tickMs = 10;

/** A tick that comes later was held up. */
const latestTickMs = 20;

/** Measures from its beginning on, in milliseconds. */
export class OwnTime implements Disposable {
  #passedMs = 0;
  #seenAt = performance.now();
  #usage = process.cpuUsage();
  readonly #timer = setInterval(() => this.#tick(), tickMs);

  /** The time that has passed. */
  get ms(): number {
    this.#tick();
    return this.#passedMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** A tick comes late because this process works, which counts, or because it has to wait for a processor. */
  #tick(): void {
    const { user, system } = process.cpuUsage(this.#usage);
    const workedMs = (user + system) / 1000;
    this.#passedMs += Math.min(performance.now() - this.#seenAt, Math.max(workedMs, latestTickMs));
    this.#seenAt = performance.now();
    this.#usage = process.cpuUsage();
  }
}
