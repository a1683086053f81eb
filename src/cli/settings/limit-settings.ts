/** The settings of `serve` that limit clients. */
import { isIP } from 'node:net';
import { defaultLimits } from '../../http/limits.ts';
import { AppError } from '../../model/app-error.ts';
import { shownValue } from '../password-text.ts';
import { type SettingsTable, wholeNumber } from './setting.ts';

/** Settings that limit clients. */
export const limitSettings = {
  trustProxy: {
    placeholder: 'CIDR',
    help: 'a network of proxies whose X-Forwarded-For names the client, such as 127.0.0.1/32; may be given several times, or be several with commas between them',
    isRepeatable: true,
    parse: (text) => text.split(',').map((network) => parseNetwork(network.trim())),
  },
  maxConnections: {
    placeholder: 'COUNT',
    help: 'how many connections may be open, of all clients together',
    default: String(defaultLimits.maxConnections),
    parse: wholeNumber({ min: 1, max: 1_000_000 }),
  },
  maxConnectionsPerAddress: {
    placeholder: 'COUNT',
    help: 'how many connections one address, or one /64 network of IPv6, may have open with a process',
    default: String(defaultLimits.maxConnectionsPerAddress),
    parse: wholeNumber({ min: 1, max: 1_000_000 }),
  },
  rateLimit: {
    placeholder: 'COUNT',
    help: 'how many requests a second such an address may send to a process, over ten seconds; 0 means any number',
    default: String(defaultLimits.requestsPerSecond ?? 0),
    parse: wholeNumber({ min: 0, max: 1_000_000 }),
  },
  maxSendingMb: {
    placeholder: 'MIB',
    help: 'how much memory large responses may take while a process makes or sends them, a quarter of it for one address; more are refused with 503',
    default: String(defaultLimits.maxSendingBytes / 1024 / 1024),
    parse: wholeNumber({ min: 1, max: 1_000_000 }),
  },
} satisfies SettingsTable;

function parseNetwork(text: string): string {
  const [address = '', bits] = text.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  const isRight =
    isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits));
  if (isRight) return `${address}/${bits ?? maxBits}`;
  throw new AppError(
    'invalid',
    `it must be an IP address or a network such as 10.0.0.0/8, got ${shownValue(text)}`,
  );
}
