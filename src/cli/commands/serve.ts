/** `serve`: serves the interface over a store until a signal comes. */
import { serve } from '../../serve/serve.ts';
import type { Site, SiteOptions } from '../../site/site.ts';
import { endDespiteOutput, printMessage, printResult } from '../output.ts';
import { packageVersion } from '../package-version.ts';
import type { serveSettings } from '../settings/serve-settings.ts';
import type { OptionsOf } from '../settings/setting.ts';

/** Serves a store with the options of the command line, converted to those of the server. */
export async function serveStore(options: OptionsOf<typeof serveSettings>): Promise<void> {
  const { maxConnections, maxConnectionsPerAddress, rateLimit } = options;
  await serve({
    ...options,
    output: { printMessage, printResult },
    version: packageVersion(),
    waitSeconds: options.wait,
    cacheBytes: options.cacheMb * 1024 * 1024,
    maxAgeSeconds: options.maxAge,
    hasLiveFields: options.liveFields,
    loadSite: options.noSite ? undefined : loadSite,
    trustedProxies: options.trustProxy ?? [],
    limits: {
      maxConnections,
      maxConnectionsPerAddress,
      requestsPerSecond: rateLimit === 0 ? undefined : rateLimit,
      maxSendingBytes: options.maxSendingMb * 1024 * 1024,
    },
  });
  endDespiteOutput();
}

/** Loads the site. fontconfig reads its variable when sharp is loaded, so it is set before. */
async function loadSite(options: SiteOptions): Promise<Site> {
  const { fontconfigFile } = await import('../../site/images/png-maker.ts');
  process.env['FONTCONFIG_FILE'] ??= fontconfigFile;
  const { createSite } = await import('../../site/site.ts');
  return createSite(options);
}
