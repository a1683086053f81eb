/** Polls the generation of the store, so that a node never shows a state older than one that it has shown. */
import type { ChangeScope } from '../../model/metrics-reader.ts';
import { connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';

/** A state of the store: its number, and a random token of the write that made it, which two histories do not share. */
export interface Generation {
  readonly value: number;
  readonly token: number;
  /** The token of the last write that changed the catalogue. */
  readonly catalogue: number;
}

/** Interval of polls: a finished import shows on every node well within a second. */
const intervalMs = 250;
const maxBackoffMs = 500;
/** The most attempts to reconnect before the store counts as unreachable. */
const maxRetries = 2;
/** After this time without an answer the store counts as unreachable, even during an attempt. */
const silenceMs = 3000;

/** Selects a {@link Generation}. */
export const generationSql = 'select value, token, catalogue from plugin_metrics.generation where id = 1';

/** Options of the connection of a watch. */
export const watchOptions = { statementTimeoutMs: 2000, queryTimeoutMs: 2000 };

/** The watch of one reader. */
export class GenerationWatch {
  readonly #settings: PostgresSettings;
  readonly #onLost: () => void;
  readonly #stop = new AbortController();
  #connection: PostgresConnection | undefined;
  #loop: Promise<void> | undefined;
  #shown: Generation | undefined;
  readonly #changeCounts = { catalogue: 0, data: 0 };
  #confirmedAt = performance.now();
  #isReachable = true;
  #silence: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;

  /** @param onLost is called when the store becomes unreachable, and must cut the other connections. */
  constructor(settings: PostgresSettings, onLost: () => void) {
    this.#settings = settings;
    this.#onLost = onLost;
  }

  /**
   * Starts to watch on a connection that was opened with `watchOptions`.
   * @throws AppError as `connect`.
   */
  async start(connection: PostgresConnection): Promise<void> {
    this.#connection = connection;
    await this.#check();
    this.#silence = setTimeout(() => this.#lose(), silenceMs).unref();
    this.#loop = this.#run();
  }

  /** Returns the number of changes that were noticed. */
  changeCount(of: ChangeScope): number {
    return this.#changeCounts[of];
  }

  /** The newest generation seen by this node. */
  get shown(): Generation | undefined {
    return this.#shown;
  }

  /** Returns for how many milliseconds the store has been unreachable; 0 while it answers. */
  unreachableMs(): number {
    return this.#isReachable ? 0 : Math.max(1, performance.now() - this.#confirmedAt);
  }

  /**
   * Notes a generation that came with an answer.
   * @param isStandby true for the answer of a standby, which may lag. Any other server is right even with an older
   *   generation: then the newer state was lost in a failover, or a backup was restored.
   * @returns false if the generation is older than one that has been shown.
   */
  note(generation: Generation, isStandby: boolean): boolean {
    const shown = this.#shown;
    if (shown?.value === generation.value && shown.token === generation.token) return true;
    if (shown !== undefined && isStandby && generation.value < shown.value) return false;
    this.#shown = generation;
    this.#changeCounts.data++;
    if (shown?.catalogue !== generation.catalogue) this.#changeCounts.catalogue++;
    return true;
  }

  /** Polls at once, because another connection has failed. */
  hurry(): void {
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake?.();
    await this.#loop;
    clearTimeout(this.#silence);
    await this.#connection?.end();
  }

  async #run(): Promise<void> {
    let backoffMs = intervalMs;
    while (!this.#stop.signal.aborted) {
      await this.#sleep(backoffMs);
      if (this.#stop.signal.aborted) return;
      try {
        await this.#checkOrReconnect();
        this.#isReachable = true;
        backoffMs = intervalMs;
      } catch {
        // The next poll tries again.
        this.#lose();
        backoffMs = Math.min(2 * backoffMs, maxBackoffMs);
      }
    }
  }

  #lose(): void {
    if (!this.#isReachable) return;
    this.#isReachable = false;
    this.#onLost();
  }

  /**
   * Polls, and reconnects if that fails. Twice, because a restart of the server that ends all connections may end a new one
   * too.
   */
  async #checkOrReconnect(): Promise<void> {
    for (let retryCount = 0; ; retryCount++) {
      try {
        this.#connection ??= await connect(this.#settings, watchOptions);
        await this.#check();
        return;
      } catch (error) {
        this.#connection?.destroy();
        this.#connection = undefined;
        if (retryCount === maxRetries) throw error;
      }
    }
  }

  async #check(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const askedAt = performance.now();
    const [generation] = await connection.query<Generation>(generationSql);
    if (generation === undefined) throw new Error('the store has no generation');
    this.note(generation, connection.isStandby);
    this.#confirmedAt = askedAt;
    this.#silence?.refresh();
  }

  #sleep(durationMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, durationMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
