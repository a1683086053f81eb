/** Memory for the reports that are being taken: bounded, and shared so that an address that sends many large ones leaves room for others. */
import { AppError } from '../model/app-error.ts';

/** The most bytes of all reports as text. Parsed, a hostile one takes thirty times as much. */
const defaultMaxBytes = 3 * 1024 * 1024;

/** The part of what others leave that an address may hold: so many addresses with large reports still leave room for small ones. */
const partOfAddress = 2 / 5;

/** Bytes charged for one report; disposing of it gives them back. */
export interface ReportHolding extends Disposable {
  readonly sizeBytes: number;
  /** Charges up to a size. @throws AppError `unavailable`, `overloaded` if the address holds too much. */
  growTo(sizeBytes: number): void;
}

/** The bytes of reports, by address. */
export class ReportBudget {
  readonly #maxBytes: number;
  readonly #heldByNetwork = new Map<string, number>();
  #heldBytes = 0;

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Begins a report, with no bytes yet. @param network the address or the network that it is counted by. */
  hold(network: string): ReportHolding {
    let ownBytes = 0;
    return {
      get sizeBytes() {
        return ownBytes;
      },
      growTo: (sizeBytes) => {
        const moreBytes = Math.max(0, sizeBytes - ownBytes);
        const ofNetwork = this.#heldByNetwork.get(network) ?? 0;
        const left = this.#maxBytes - this.#heldBytes + ofNetwork;
        if (ofNetwork + moreBytes > left * partOfAddress)
          throw new AppError('unavailable', 'too many reports wait to be written', { kind: 'overloaded' });
        ownBytes += moreBytes;
        this.#change(network, moreBytes);
      },
      [Symbol.dispose]: () => this.#change(network, -ownBytes),
    };
  }

  #change(network: string, sizeBytes: number): void {
    this.#heldBytes += sizeBytes;
    const held = (this.#heldByNetwork.get(network) ?? 0) + sizeBytes;
    if (held === 0) this.#heldByNetwork.delete(network);
    else this.#heldByNetwork.set(network, held);
  }
}
