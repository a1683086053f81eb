/** `serve`: serves the interface over a store until a signal comes; `openapi` prints its description. */
import cluster from 'node:cluster';
import { isIP } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Site } from '../../http/app.ts';
import { defaultLimits } from '../../http/limits.ts';
import { digitsFrom } from '../../model/parameter.ts';
import type { Store } from '../../model/store.ts';
import { type ChangedSetting, command, type SettingsTable } from '../command.ts';
import { endDespiteOutput, printMessage, printResult } from '../output.ts';
import { version } from '../package-version.ts';
import { count, flagSetting, several, storeSetting } from '../settings.ts';

/** A network in CIDR notation; an address is a network of its own. */
const network = {
  placeholder: 'CIDR',
  allowed: 'an IP address or a network such as 10.0.0.0/8',
  parse(text: string) {
    const [address = '', bits] = text.split('/');
    const maxBits = isIP(address) === 6 ? 128 : 32;
    const isRight =
      isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits));
    return isRight ? `${address}/${bits ?? maxBits}` : undefined;
  },
};

const host = {
  placeholder: 'HOST',
  allowed: 'a host name or an IP address',
  parse: (text: string) => (/^[A-Za-z0-9._:%-]+$/.test(text) ? text : undefined),
};

const portNumber = { placeholder: 'PORT', ...digitsFrom(0, 65_535) };

/** The first segments of the paths of the server. A path that begins with one could be either. */
export const ownSegments: ReadonlySet<string> = new Set([
  ...['api', 'openapi.json', 'embed', 'embed.js', 'signatures', 'badge', 'plugin', 'plugin-list', 'software'],
  ...['owner', 'author', 'global', 'compare', 'about', 'favicon.svg', 'favicon.ico', 'robots.txt'],
  ...['sitemap', 'sitemap.xml'],
]);

const publicUrl = {
  placeholder: 'URL',
  allowed:
    'https:// or http://, a host and perhaps a path, such as https://example.org/metrics; the path must not begin like one of the server, such as /plugin or /api',
  parse(text: string) {
    const { protocol, origin, pathname = '', href } = URL.parse(text) ?? {};
    const [, path = '', segment = ''] = /^((?:\/([\w.~-]+))(?:\/[\w.~-]+)*)\/?$|^\/$/.exec(pathname) ?? [];
    const isWhole = href === origin + pathname && (pathname === '/' || path !== '');
    const isFree = !ownSegments.has(segment);
    return /^https?:$/.test(protocol ?? '') && isWhole && isFree ? origin + path : undefined;
  },
};

const liveFields = flagSetting('also send the fields that bstats.org adds: software, isGlobal, idCustom');

/** The settings of a server that has clients, which `collect` has too. */
export const clientSettings = {
  trustProxy: {
    help: 'networks of proxies whose X-Forwarded-For is trusted, such as 127.0.0.1/32, separated by commas; may be repeated',
    isRepeatable: true,
    ...several(network),
  },
  maxConnections: {
    help: 'the most open connections',
    default: String(defaultLimits.maxConnections),
    ...count,
  },
  maxConnectionsPerAddress: {
    help: 'the most open connections of one IPv4 address or /64 network, per process',
    default: String(defaultLimits.maxConnectionsPerAddress),
    ...count,
  },
  rateLimit: {
    placeholder: 'COUNT',
    help: 'the most requests per second of such an address, averaged over ten seconds, per process; 0 is no limit',
    default: String(defaultLimits.requestsPerSecond),
    ...digitsFrom(0, 1_000_000),
  },
  maxSendingMb: {
    placeholder: 'MIB',
    help: 'the most memory for responses that clients have not read yet, per process; one network gets a quarter of what others leave',
    default: String(defaultLimits.maxSendingBytes / 1024 / 1024),
    ...digitsFrom(1, 1_000_000),
  },
} satisfies SettingsTable;

/** The settings of `serve`. */
export const serveSettings = {
  store: storeSetting,
  wait: {
    placeholder: 'SECONDS',
    help: 'how long to wait at the start for an unreachable store',
    default: '0',
    ...digitsFrom(0, 86_400),
  },
  host: {
    help: 'the address to listen on',
    default: '127.0.0.1',
    ...host,
  },
  port: {
    help: 'the port to listen on; 0 picks a free port',
    default: '8080',
    ...portNumber,
  },
  workers: {
    placeholder: 'COUNT',
    help: 'how many processes serve the port; 0 is one per core',
    default: '1',
    ...digitsFrom(0, 256),
  },
  adminPort: {
    help: 'the port of the admin listener; if not given, there is none; 0 picks a free port',
    ...portNumber,
  },
  adminHost: {
    help: 'the address of the admin listener',
    default: '127.0.0.1',
    ...host,
  },
  logRequests: flagSetting('log each request to standard error, without its query and the client address'),
  maxAge: {
    placeholder: 'SECONDS',
    help: 'how long clients and proxies may reuse a response',
    default: '60',
    ...digitsFrom(0, 31_536_000),
  },
  cacheMb: {
    placeholder: 'MIB',
    help: 'the most memory for the response cache',
    default: '64',
    ...digitsFrom(1, 1_048_576),
  },
  liveFields,
  publicUrl: {
    help: 'the public address of the server, for links; if not given, taken from each request',
    ...publicUrl,
  },
  ...clientSettings,
  noSite: flagSetting('serve the interface only, without pages, pictures and badges'),
  check: flagSetting(
    'print the settings that differ from their defaults, open the store and files, and exit',
  ),
} satisfies SettingsTable;

export const serve = command({
  summary: 'serve the interface and the site over HTTP, until SIGTERM or SIGINT',
  settings: serveSettings,
  async run(options, _, _refuse, changed) {
    if (options.check) return checkSetup(options.store, changed, options.noSite ? undefined : checkFonts);
    sayStart('serve', options.store, changed);
    const { runServer } = await import('../../serve/serve.ts');
    await runServer({
      ...options,
      fd: handedSocket(),
      output: { printMessage, printResult },
      version,
      waitSeconds: options.wait,
      cacheBytes: options.cacheMb * 1024 * 1024,
      maxAgeSeconds: options.maxAge,
      hasLiveFields: options.liveFields,
      loadSite: options.noSite ? undefined : loadSite,
      trustedProxies: options.trustProxy ?? [],
      limits: {
        ...options,
        requestsPerSecond: options.rateLimit,
        maxSendingBytes: options.maxSendingMb * 1024 * 1024,
      },
    });
    endDespiteOutput();
  },
});

/**
 * Prints one line at the start: version, store, and the settings that differ from their defaults. Names the
 * process for `ps`.
 */
export function sayStart(name: string, store: Store, changed: readonly ChangedSetting[]): void {
  process.title = `plugin-metrics ${name}`;
  const others = changed.filter(({ key }) => key !== 'store').map(({ text }) => text);
  if (cluster.isPrimary)
    printMessage([`plugin-metrics ${version}: ${name} --store ${store.name}`, ...others].join(' '));
}

/**
 * Prints the settings that differ from their defaults, each with its source, and opens the store and files
 * without listening.
 */
export async function checkSetup(
  store: Store,
  changed: readonly ChangedSetting[],
  openFiles: () => unknown = () => {},
): Promise<void> {
  for (const { key, text, source } of changed)
    if (key !== 'check') printResult(`${key === 'store' ? `--store ${store.name}` : text} (${source})`);
  await store.probe();
  await openFiles();
  printResult(`the store ${store.name} can be opened`);
}

async function checkFonts(): Promise<void> {
  const { readFonts } = await import('../../site/images/fonts.ts');
  readFonts();
}

/**
 * Finds the first socket from systemd (sd_listen_fds(3)); undefined if there is none. A worker gets it from
 * its supervisor.
 */
export function handedSocket(): number | undefined {
  const { LISTEN_FDS, LISTEN_PID } = process.env;
  const isForThis = Number(LISTEN_PID) === (cluster.isPrimary ? process.pid : process.ppid);
  return isForThis && Number(LISTEN_FDS) >= 1 ? 3 : undefined;
}

export const openapi = command({
  summary: 'print the OpenAPI document of the interface',
  settings: { liveFields },
  async run({ liveFields }) {
    const { openapiDocument } = await import('../../api/routes.ts');
    printResult(...JSON.stringify(openapiDocument({ hasLiveFields: liveFields }), undefined, 2).split('\n'));
  },
});

/** Sets the fonts of PNGs. fontconfig reads its variable when sharp is loaded. */
export async function setFonts(): Promise<void> {
  const { keepFonts } = await import('../../site/images/fonts.ts');
  const cacheFolder = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  process.env['FONTCONFIG_FILE'] ??= keepFonts(cacheFolder);
}

/** Loads the site, and sharp if it is installed. */
async function loadSite(): Promise<Site> {
  await setFonts();
  const { loadSharp } = await import('../../site/images/make-png.ts');
  const { createSite } = await import('../../site/site.ts');
  const site = createSite();
  // Only PNGs need it, and the next one tries again.
  setImmediate(() => void Promise.try(loadSharp).catch(() => {}));
  return site;
}
