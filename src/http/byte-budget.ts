/** Memory for the bodies that a process is making and sending: of all clients together, and of each. */
import { AppError } from '../model/app-error.ts';
import type { Representation } from './representation.ts';
import { overloaded } from './turns.ts';

/** Bytes charged for one body; disposing of it gives them back. */
export interface Holding extends Disposable {
  /** Charges more. Throws AppError `unavailable`, `overloaded` beyond the budget, except for the only body. */
  add(sizeBytes: number): void;
}

/** Part of the budget that one client may hold, so that a slow one leaves room to others. */
const clientShare = 0.25;

/** The refusal of a body because of what its client holds already; another client may get it. */
export class ShareUsed extends AppError {
  constructor() {
    const message = 'large responses to this address have not been read yet; try again later';
    super('unavailable', message, { kind: 'overloaded' });
  }
}

/** Bytes within a limit. */
class Ledger {
  readonly #maxBytes: number;
  readonly #refuse: () => AppError;
  heldBytes = 0;
  /** Number of bodies, those without bytes included. */
  holdingCount = 0;

  /** @param refuse makes the error for bytes beyond the limit. */
  constructor(maxBytes: number, refuse: () => AppError) {
    this.#maxBytes = maxBytes;
    this.#refuse = refuse;
  }

  /** Begins a body, with no bytes yet. */
  hold(): Holding {
    let ownBytes = 0;
    let isHeld = true;
    this.holdingCount++;
    return {
      add: (sizeBytes) => {
        if (this.heldBytes > ownBytes && this.heldBytes + sizeBytes > this.#maxBytes) throw this.#refuse();
        ownBytes += sizeBytes;
        this.heldBytes += sizeBytes;
      },
      [Symbol.dispose]: () => {
        if (isHeld) this.holdingCount--;
        isHeld = false;
        this.heldBytes -= ownBytes;
        ownBytes = 0;
      },
    };
  }
}

/** Limit on the bytes that all bodies take together, and on the part of it that one client may hold. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #onRefused: () => void;
  readonly #all: Ledger;
  readonly #shares = new Map<string, Ledger>();

  constructor(maxBytes: number, onRefused: () => void) {
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
    this.#all = new Ledger(maxBytes, () => this.#refused(overloaded()));
  }

  /** Bytes charged now. */
  get heldBytes(): number {
    return this.#all.heldBytes;
  }

  /** Begins a body, with no bytes yet, that is charged to the client of a network too if one is given. */
  hold(network?: string): Holding {
    const all = this.#all.hold();
    if (network === undefined) return all;
    const share = this.holdShare(network);
    return {
      add: (sizeBytes) => {
        share.add(sizeBytes);
        all.add(sizeBytes);
      },
      [Symbol.dispose]: () => {
        share[Symbol.dispose]();
        all[Symbol.dispose]();
      },
    };
  }

  /** Begins a body that is charged to a client alone. Its `add` throws {@link ShareUsed}. */
  holdShare(network: string): Holding {
    const share =
      this.#shares.get(network) ??
      new Ledger(this.#maxBytes * clientShare, () => this.#refused(new ShareUsed()));
    this.#shares.set(network, share);
    const { add, [Symbol.dispose]: release } = share.hold();
    return {
      add,
      [Symbol.dispose]: () => {
        release();
        if (share.holdingCount === 0 && this.#shares.get(network) === share) this.#shares.delete(network);
      },
    };
  }

  #refused(error: AppError): AppError {
    this.#onRefused();
    return error;
  }
}

/** A body that is being sent, with the clients that it goes to. */
interface SentBody {
  readonly holding: Holding;
  readonly clients: Map<string, { readonly share: Holding; connectionCount: number }>;
}

/**
 * Charges the budget for large bodies that are being sent: once for each however many clients it goes to, and each of these once however
 * many connections it goes to.
 */
export class Sending {
  readonly #budget: ByteBudget;
  // By body: while the store is unreachable, each response is a representation of its own around the cached body.
  readonly #sent = new Map<Representation['body'], SentBody>();

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /**
   * Counts one more connection that gets a body of more than `maxJoinedBytes`; the number of connections bounds smaller ones.
   * @returns a function to call when the client has received the body, or has gone.
   * @throws AppError `unavailable`, `overloaded` if the bodies take too much memory already, or those to this client.
   */
  begin({ body, bodyBytes }: Pick<Representation, 'body' | 'bodyBytes'>, network: string): () => void {
    const sent = this.#sent.get(body) ?? { holding: this.#budget.hold(), clients: new Map() };
    let client = sent.clients.get(network);
    if (client === undefined) {
      using undo = new DisposableStack();
      const share = undo.use(this.#budget.holdShare(network));
      share.add(bodyBytes);
      if (sent.clients.size === 0) sent.holding.add(bodyBytes);
      undo.move();
      client = { share, connectionCount: 0 };
      sent.clients.set(network, client);
      this.#sent.set(body, sent);
    }
    const { share } = client;
    client.connectionCount++;
    return () => {
      if (--client.connectionCount > 0) return;
      share[Symbol.dispose]();
      sent.clients.delete(network);
      if (sent.clients.size > 0) return;
      sent.holding[Symbol.dispose]();
      this.#sent.delete(body);
    };
  }
}
