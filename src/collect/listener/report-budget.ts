/** Memory for reports: bounded, and shared so that an address that sends many large ones, or sends them slowly, leaves room for others. */
import { Counts } from '../../http/clients.ts';
import { overloaded } from '../../http/problem.ts';
import type { ReportHolding } from '../collector.ts';

/** The part of what others leave that an address may hold: so many addresses with large reports still leave room for small ones. */
const partOfAddress = 2 / 5;

/** The bytes of reports, by address. */
export class ReportBudget {
  readonly #maxBytes: number;
  readonly #heldBytes = new Counts<string>();
  #allBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Begins a report, with no bytes yet; disposing of it gives its bytes back.
   * @param network the address or the network that it is counted by.
   */
  hold(network: string): ReportHolding & Disposable {
    let ownBytes = 0;
    const change = (byteCount: number) => {
      ownBytes += byteCount;
      this.#allBytes += byteCount;
      this.#heldBytes.add(network, byteCount);
    };
    return {
      growTo: (sizeBytes) => {
        const moreBytes = Math.max(0, sizeBytes - ownBytes);
        const ofNetwork = this.#heldBytes.of(network);
        const left = this.#maxBytes - this.#allBytes + ofNetwork;
        if (ofNetwork + moreBytes > left * partOfAddress)
          throw overloaded('too many reports are being taken');
        change(moreBytes);
      },
      [Symbol.dispose]: () => change(-ownBytes),
    };
  }
}
