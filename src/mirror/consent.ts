/** Refuses bulk copies from bstats.org, whose terms forbid them. */
import { AppError } from '../model/app-error.ts';

/** Largest number of plugins in a file that does not count as a bulk copy. */
const fewPlugins = 25;

/** A copy that the user asks for. */
interface MirrorIntent {
  /** Address from `parseUpstreamAddress`. */
  readonly address: string;
  readonly isAll: boolean;
  /** Number of plugins in the file. */
  readonly listedCount: number;
  readonly hasConsent: boolean;
}

/**
 * Checks that the terms of the source allow a copy.
 * @throws AppError `invalid`, quoting the rule.
 */
export function checkConsent({ address, isAll, listedCount, hasConsent }: MirrorIntent): void {
  const isBulk = isAll || listedCount > fewPlugins;
  if (!isBulk || hasConsent || !isOfBstats(address)) return;
  const asked = isAll ? '--all' : `--plugins-file with ${listedCount} plugins`;
  throw new AppError(
    'invalid',
    `${asked} is refused for bstats.org: its terms (§12, since 2025-11-19) forbid scraping, bulk export and rehosting without written consent, and allow caching for personal or project use. Name your own plugins with --plugin ID, or in a file of at most ${fewPlugins}; if you have written consent, add --consent`,
  );
}

/**
 * True for bstats.org and its subdomains. `URL` converts a host to lower-case ASCII, but keeps a trailing
 * dot.
 */
function isOfBstats(address: string): boolean {
  const host = new URL(address).hostname.replace(/\.+$/, '');
  return host === 'bstats.org' || host.endsWith('.bstats.org');
}
