/** `collect`: takes reports of running plugins until a signal comes. */
import { existsSync } from 'node:fs';
import type { CollectOptions } from '../../collect/listener/collect-server.ts';
import { reportsSuffix } from '../../model/report-store.ts';
import { dayMs } from '../../model/window.ts';
import { command } from '../command.ts';
import { endDespiteOutput, printMessage, printResult } from '../output.ts';
import { version } from '../package-version.ts';
import { count, durationSetting, fileName, storeSetting } from '../settings.ts';
import { checkSetup, clientSettings, handedSocket, sayStart, serveSettings } from './serve.ts';

const { trustProxy, maxConnections, maxConnectionsPerAddress, rateLimit } = clientSettings;

export const collect = command({
  summary: 'count the reports of running plugins in the store, until SIGTERM or SIGINT',
  settings: {
    store: storeSetting,
    wait: serveSettings.wait,
    host: serveSettings.host,
    port: { ...serveSettings.port, default: '8090' },
    adminPort: serveSettings.adminPort,
    adminHost: serveSettings.adminHost,
    perAddress: {
      help: 'the most servers of one IPv4 address or /64 network counted for a plugin in a slot',
      default: '64',
      ...count,
    },
    history: {
      placeholder: 'STEP',
      help: 'keep shares as history, for slots that begin at a multiple of this time; off keeps none',
      default: '1h',
      allowed: `off, or ${durationSetting.allowed}`,
      parse: (text) => (text === 'off' ? 0 : durationSetting.parse(text)),
    },
    geoip: {
      placeholder: 'FILE',
      help: 'a MaxMind database of countries, for charts of locations; reloaded when it changes',
      ...fileName,
    },
    slot: {
      placeholder: 'DURATION',
      help: 'the length of a slot; values other than 30m are for trials',
      default: '30m',
      allowed: 'a divisor of a day, such as 30m',
      parse(text) {
        const slotMs = durationSetting.parse(text) ?? 0;
        return dayMs % slotMs === 0 ? slotMs : undefined;
      },
    },
    trustProxy,
    maxConnections,
    maxConnectionsPerAddress,
    rateLimit,
    check: serveSettings.check,
  },
  async run(
    { store, check, slot, history, perAddress, geoip, trustProxy = [], rateLimit, ...options },
    _,
    _refuse,
    changed,
  ) {
    if (check)
      return checkSetup(store, changed, async () => {
        // The writer finds out whether this user, or this role, may write.
        await (await store.openWriter({ makesStore: false }))[Symbol.asyncDispose]();
        // Reports that are not there would be made.
        if (store.file === undefined || existsSync(store.file.path + reportsSuffix))
          await (await store.openReports())[Symbol.asyncDispose]();
        if (geoip !== undefined) await openCountries(geoip);
      });
    sayStart('collect', store, changed);
    const { ClosingThread } = await import('../closing-thread.ts');
    const { runCollector } = await import('../../serve/collect.ts');
    const thread = new ClosingThread({
      storeName: store.givenName,
      slotMs: slot,
      historyMs: history || undefined,
    });
    await runCollector({
      ...options,
      fd: handedSocket(),
      store,
      version,
      waitSeconds: options.wait,
      slotMs: slot,
      closeSlot: (...slot) => thread.close(...slot),
      onListening: () => thread.start(),
      maxPerAddress: perAddress,
      // Opened first, because a wrong file stops the program.
      ...(geoip === undefined ? {} : { findCountry: await openCountries(geoip) }),
      trustedProxies: trustProxy,
      limits: { ...options, requestsPerSecond: rateLimit },
      output: { printMessage, printResult },
    });
    endDespiteOutput();
  },
});

async function openCountries(path: string): Promise<NonNullable<CollectOptions['findCountry']>> {
  const { openCountryFile } = await import('../../collect/country-file.ts');
  return openCountryFile(path);
}
