/** The settings of `collect`. */
import { AppError } from '../../model/app-error.ts';
import { parseDuration } from '../date.ts';
import { shownValue } from '../password-text.ts';
import { limitSettings } from './limit-settings.ts';
import { serveSettings } from './serve-settings.ts';
import { type SettingsTable, wholeNumber } from './setting.ts';
import { storeSetting } from './settings.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const { trustProxy, maxConnections, maxConnectionsPerAddress, rateLimit } = limitSettings;

/** The settings of `collect`. */
export const collectSettings = {
  store: storeSetting,
  host: serveSettings.host,
  port: { ...serveSettings.port, default: '8090' },
  adminPort: serveSettings.adminPort,
  adminHost: serveSettings.adminHost,
  perAddress: {
    placeholder: 'COUNT',
    help: 'how many servers of one address, or one /64 network of IPv6, count for a plugin in a slot',
    default: '16',
    parse: wholeNumber({ min: 1, max: 1_000_000 }),
  },
  history: {
    placeholder: 'STEP',
    help: 'keep what pies, maps and bars show as history for slots that begin at a multiple of this time, such as 1h; off keeps none',
    default: '1h',
    parse: parseHistory,
  },
  geoip: {
    placeholder: 'FILE',
    help: 'a MaxMind database with countries, for the charts of locations, which stay empty without it; read again when it changes',
    parse: (text) => text,
  },
  slot: {
    placeholder: 'DURATION',
    help: 'the length of a slot, a divisor of a day; others than 30m are for trying out',
    default: '30m',
    parse: parseSlot,
  },
  trustProxy,
  maxConnections,
  maxConnectionsPerAddress,
  rateLimit,
} satisfies SettingsTable;

function parseHistory(text: string): number | undefined {
  return text === 'off' ? undefined : parseDuration(text);
}

function parseSlot(text: string): number {
  const slotMs = parseDuration(text);
  if (slotMs <= dayMs && dayMs % slotMs === 0) return slotMs;
  throw new AppError('invalid', `it must be a divisor of a day, such as 30m, got ${shownValue(text)}`);
}
