/**
 * Memory for reports: bounded, and shared so that an address with many large or slow reports leaves room for
 * others.
 */
import { Shares } from '../../http/clients.ts';
import { overloaded } from '../../http/problem.ts';
import type { ReportHolding } from '../collector.ts';

/**
 * The part of the free memory that an address may hold: even many addresses with large reports then leave
 * room for small ones.
 */
const partOfAddress = 2 / 5;

/** The bytes of reports, by address. */
export class ReportBudget {
  readonly #shares: Shares;

  constructor(maxBytes: number) {
    this.#shares = new Shares(maxBytes, partOfAddress);
  }

  /**
   * Begins a report, with no bytes yet; disposing of it frees its bytes.
   * @param network the address or the network that is charged for it.
   */
  hold(network: string): ReportHolding & Disposable {
    let ownBytes = 0;
    const change = (byteCount: number) => {
      ownBytes += byteCount;
      this.#shares.add(network, byteCount);
    };
    return {
      growTo: (sizeBytes) => {
        const moreBytes = Math.max(0, sizeBytes - ownBytes);
        if (!this.#shares.hasRoomFor(network, moreBytes))
          throw overloaded('too many reports are being taken');
        change(moreBytes);
      },
      [Symbol.dispose]: () => change(-ownBytes),
    };
  }
}
