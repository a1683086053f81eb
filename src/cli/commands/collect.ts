/** `collect`: takes reports of running plugins until a signal comes. */
import type { CollectOptions } from '../../collect/listener/collect-server.ts';
import { collect } from '../../serve/collect.ts';
import { closeInThread } from '../close-in-thread.ts';
import { endDespiteOutput, printMessage, printResult } from '../output.ts';
import { packageVersion } from '../package-version.ts';
import type { collectSettings } from '../settings/collect-settings.ts';
import type { OptionsOf } from '../settings/setting.ts';

/** Collects into a store with the options of the command line. */
export async function collectInto(options: OptionsOf<typeof collectSettings>): Promise<void> {
  const { store, host, port, adminHost, adminPort, geoip, perAddress, slot, history, rateLimit } = options;
  await collect({
    store,
    host,
    port,
    version: packageVersion(),
    adminHost,
    adminPort,
    slotMs: slot,
    closeSlot: closeInThread({ storeName: store.givenName, slotMs: slot, historyMs: history }),
    maxPerAddress: perAddress,
    ...(await countriesOf(geoip)),
    trustedProxies: options.trustProxy ?? [],
    limits: {
      maxConnections: options.maxConnections,
      maxConnectionsPerAddress: options.maxConnectionsPerAddress,
      requestsPerSecond: rateLimit === 0 ? undefined : rateLimit,
    },
    output: { printMessage, printResult },
  });
  endDespiteOutput();
}

/** Opens the database of countries before anything else: a wrong file stops the program. */
async function countriesOf(path: string | undefined): Promise<Pick<CollectOptions, 'findCountry'>> {
  if (path === undefined) return {};
  const { CountryFile } = await import('../../collect/country-file.ts');
  const file = new CountryFile(path);
  return { findCountry: (address) => file.find(address) };
}
