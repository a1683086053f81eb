/** `collect`: takes reports of running plugins until a signal comes. */
import { collect } from '../../serve/collect.ts';
import { closeInThread } from '../close-in-thread.ts';
import { endDespiteOutput, printMessage, printResult } from '../output.ts';
import type { collectSettings } from '../settings/collect-settings.ts';
import type { OptionsOf } from '../settings/setting.ts';

/** Collects into a store with the options of the command line. */
export async function collectInto(options: OptionsOf<typeof collectSettings>): Promise<void> {
  const { store, host, port, perAddress, slot, history, rateLimit } = options;
  await collect({
    store,
    host,
    port,
    slotMs: slot,
    closeSlot: closeInThread({ storeName: store.givenName, slotMs: slot, historyMs: history }),
    maxPerAddress: perAddress,
    trustedProxies: options.trustProxy ?? [],
    limits: {
      maxConnections: options.maxConnections,
      maxConnectionsPerAddress: options.maxConnectionsPerAddress,
      requestsPerSecond: rateLimit === 0 ? undefined : rateLimit,
    },
    timeouts: { headerMs: options.headerTimeout * 1000, requestMs: options.requestTimeout * 1000 },
    output: { printMessage, printResult },
  });
  endDespiteOutput();
}
