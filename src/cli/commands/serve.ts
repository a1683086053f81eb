/** `serve`: serves the interface over a store until a signal comes. */

import type { Store } from '../../model/store.ts';
import { serve } from '../../serve/serve.ts';
import type { Site, SiteOptions } from '../../site/site.ts';
import { countInProcess } from '../count-in-process.ts';
import { endDespiteOutput, printMessage, printResult } from '../output.ts';
import { packageVersion } from '../package-version.ts';

/** The values of the settings. */
export interface ServeSettings {
  readonly store: Store;
  readonly wait: number;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly adminPort?: number;
  readonly adminHost: string;
  readonly reusePort: boolean;
  readonly logRequests: boolean;
  readonly logAddresses: boolean;
  readonly maxAge: number;
  readonly cacheMb: number;
  readonly liveFields: boolean;
  readonly publicUrl?: string;
  readonly trustProxy?: readonly string[];
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly rateLimit: number;
  readonly headerTimeout: number;
  readonly requestTimeout: number;
  readonly sendTimeout: number;
  readonly maxPending: number;
  readonly maxPendingLarge: number;
  readonly maxSendingMb: number;
  readonly site: boolean;
}

/** Serves a store with these settings, in the words and units of the server. */
export async function serveStore(settings: ServeSettings): Promise<void> {
  const { store, maxConnections, maxConnectionsPerAddress, rateLimit, maxPending, maxPendingLarge } =
    settings;
  using _end = { [Symbol.dispose]: endDespiteOutput };
  await serve({
    ...settings,
    countStore: () => countInProcess(store),
    output: { printMessage, printResult },
    version: packageVersion(),
    waitSeconds: settings.wait,
    cacheBytes: settings.cacheMb * 1024 * 1024,
    maxAgeSeconds: settings.maxAge,
    hasLiveFields: settings.liveFields,
    loadSite: settings.site ? loadSite : undefined,
    trustedProxies: settings.trustProxy ?? [],
    limits: {
      maxConnections,
      maxConnectionsPerAddress,
      requestsPerSecond: rateLimit === 0 ? undefined : rateLimit,
      maxPending,
      maxPendingLarge,
      maxSendingBytes: settings.maxSendingMb * 1024 * 1024,
    },
    timeouts: {
      headerMs: settings.headerTimeout * 1000,
      requestMs: settings.requestTimeout * 1000,
      sendMs: settings.sendTimeout * 1000,
    },
  });
}

/** Loads the site. The fonts of its PNGs are a variable of the environment, which is set before anything reads it. */
async function loadSite(options: SiteOptions): Promise<Site> {
  const { fontconfigFile } = await import('../../site/images/png-maker.ts');
  process.env['FONTCONFIG_FILE'] ??= fontconfigFile;
  const { createSite } = await import('../../site/site.ts');
  return createSite(options);
}
