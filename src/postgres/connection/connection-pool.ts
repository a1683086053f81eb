/**
 * A few connections that many questions share. A connection takes a question before it has answered the last one
 * (pipelining), so that nobody waits for a free connection and their number stays small.
 */
import type pg from 'pg';
import { AppError } from '../../model/app-error.ts';
import { type ConnectOptions, connect, type PostgresConnection } from './connect.ts';
import type { PostgresSettings } from './connection-settings.ts';
import { postgresFault } from './postgres-fault.ts';

/** A statement, prepared once on every connection under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Rows, and which kind of server they came from. */
export interface Answered {
  readonly rows: readonly Record<string, unknown>[];
  readonly isStandby: boolean;
}

/** How a pool keeps its bounds. */
export interface PoolOptions extends ConnectOptions {
  readonly maxConnections: number;
  /** A connection that owes an answer for this long is cut. */
  readonly answerTimeoutMs: number;
}

/** Questions that wait for an answer at once; more are turned away. */
const maxPending = 10_000;
const overdueCheckMs = 500;

interface Line {
  readonly connection: PostgresConnection;
  /** When the questions that are not answered yet were sent, in order. */
  readonly sentAt: number[];
}

/** Connections to one store, opened as they are needed. */
export class ConnectionPool {
  readonly #settings: PostgresSettings;
  readonly #options: PoolOptions;
  readonly #lines = new Set<Line>();
  readonly #timer: NodeJS.Timeout;
  #opening: Promise<Line> | undefined;
  #pendingCount = 0;
  #isClosed = false;

  constructor(settings: PostgresSettings, options: PoolOptions) {
    this.#settings = settings;
    this.#options = { ...options, isPipelined: true };
    this.#timer = setInterval(() => this.#cutOverdue(), overdueCheckMs).unref();
  }

  /**
   * Asks once.
   * @throws AppError `unavailable` where no server answers, its cause being what went wrong.
   */
  async query(statement: Statement, values: readonly unknown[]): Promise<Answered> {
    if (this.#pendingCount >= maxPending) throw this.#unavailable('too many questions wait for it');
    this.#pendingCount++;
    try {
      return await this.#ask(statement, values);
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    } finally {
      this.#pendingCount--;
    }
  }

  /** How many connections there are. */
  get size(): number {
    return this.#lines.size;
  }

  /** Cuts all connections; what is under way rejects. */
  cut(): void {
    for (const { connection } of this.#lines) connection.destroy();
    this.#lines.clear();
  }

  /** Ends all connections; nothing may be under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#opening?.catch(() => {});
    const lines = [...this.#lines];
    this.#lines.clear();
    await Promise.all(lines.map(({ connection }) => endConnection(connection)));
  }

  async #ask(statement: Statement, values: readonly unknown[]): Promise<Answered> {
    const line = this.#freeLine() ?? (await this.#openLine());
    const sentAt = performance.now();
    line.sentAt.push(sentAt);
    try {
      const { rows } = await line.connection.client.query({ ...statement, values: [...values] });
      return { rows, isStandby: line.connection.isStandby };
    } finally {
      line.sentAt.splice(line.sentAt.indexOf(sentAt), 1);
      if (line.connection.isBroken()) this.#lines.delete(line);
    }
  }

  /** The connection with the least to do; undefined where there is none. A better one may be opened meanwhile. */
  #freeLine(): Line | undefined {
    let best: Line | undefined;
    for (const line of this.#lines) {
      if (line.connection.isBroken()) this.#lines.delete(line);
      else if (best === undefined || line.sentAt.length < best.sentAt.length) best = line;
    }
    const isBusy = best !== undefined && best.sentAt.length > 0;
    // Who asks now need not wait for it, and learns from the questions if the server is gone.
    if (isBusy && this.#lines.size < this.#options.maxConnections) this.#openLine().catch(() => {});
    return best;
  }

  /** One connection is opened at a time, whoever asks for one. */
  #openLine(): Promise<Line> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<Line> {
    if (this.#isClosed) throw this.#unavailable('it is closed');
    const connection = await connect(this.#settings, this.#options);
    const line = { connection, sentAt: [] };
    this.#lines.add(line);
    return line;
  }

  #cutOverdue(): void {
    const overdue = performance.now() - this.#options.answerTimeoutMs;
    for (const line of this.#lines) {
      if ((line.sentAt[0] ?? Number.POSITIVE_INFINITY) > overdue) continue;
      this.#lines.delete(line);
      line.connection.destroy();
    }
  }

  #unavailable(reason: string): AppError {
    return new AppError('unavailable', `the store ${this.#settings.name} cannot be used: ${reason}`, {
      kind: 'store-unavailable',
    });
  }
}

/** Says good-bye to the server, but does not wait long for it. */
export async function endConnection(connection: {
  readonly client: pg.Client;
  readonly destroy: () => void;
}): Promise<void> {
  const timer = setTimeout(connection.destroy, 1000);
  try {
    await connection.client.end();
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}
