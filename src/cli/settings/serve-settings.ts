/** The settings of `serve`, with their parsers. */
import { AppError } from '../../model/app-error.ts';
import { shownValue } from '../password-text.ts';
import { limitSettings } from './limit-settings.ts';
import { flag, type SettingsTable, wholeNumber } from './setting.ts';
import { liveFieldsSetting, storeSetting } from './settings.ts';

/** The settings of `serve`. */
export const serveSettings = {
  store: storeSetting,
  wait: {
    placeholder: 'SECONDS',
    help: 'how long to wait at the start for a store that is unreachable',
    default: '0',
    parse: wholeNumber({ min: 0, max: 86_400 }),
  },
  host: {
    placeholder: 'HOST',
    help: 'the address to listen on',
    default: '127.0.0.1',
    parse: parseHost,
  },
  port: {
    placeholder: 'PORT',
    help: 'the port to listen on; 0 picks a free one',
    default: '8080',
    parse: wholeNumber({ min: 0, max: 65_535 }),
  },
  workers: {
    placeholder: 'COUNT',
    help: 'how many processes serve the port; 0 means one per core',
    default: '1',
    parse: wholeNumber({ min: 0, max: 256 }),
  },
  adminPort: {
    placeholder: 'PORT',
    help: 'the port of the admin listener, off unless given; 0 picks a free one',
    parse: wholeNumber({ min: 0, max: 65_535 }),
  },
  adminHost: {
    placeholder: 'HOST',
    help: 'the address of the admin listener, whatever --host says',
    default: '127.0.0.1',
    parse: parseHost,
  },
  logRequests: flag(
    'log every request as a line of JSON on standard error, without query and without the address',
  ),
  maxAge: {
    placeholder: 'SECONDS',
    help: 'how long clients and proxies may use a response without asking again',
    default: '60',
    parse: wholeNumber({ min: 0, max: 31_536_000 }),
  },
  cacheMb: {
    placeholder: 'MIB',
    help: 'how much memory the response cache may take',
    default: '64',
    parse: wholeNumber({ min: 1, max: 1_048_576 }),
  },
  liveFields: liveFieldsSetting,
  publicUrl: {
    placeholder: 'URL',
    help: 'where people find the server, for links in previews and snippets; taken from each request unless given',
    parse: parsePublicUrl,
  },
  ...limitSettings,
  noSite: flag('serve the interface alone, without images, badges and pages'),
} satisfies SettingsTable;

function parseHost(text: string): string {
  if (/^[A-Za-z0-9._:%-]+$/.test(text)) return text;
  throw new AppError('invalid', `it must be a host name or an IP address, got ${shownValue(text)}`);
}

function parsePublicUrl(text: string): string {
  const { origin, protocol, href } = URL.parse(text) ?? {};
  if (origin !== undefined && /^https?:$/.test(protocol ?? '') && `${origin}/` === href) return origin;
  throw new AppError(
    'invalid',
    `it must be https:// or http:// and a host, without a path, such as https://metrics.example.org, got ${shownValue(text)}`,
  );
}
