/** What a source asks of those who copy from it. */
import { AppError } from '../../model/app-error.ts';

/** How many plugins a list may name before it counts as bulk. */
export const fewPlugins = 25;

/** What is about to be copied. */
export interface MirrorIntent {
  /** As `parseUpstreamAddress` gives it. */
  readonly address: string;
  readonly isAll: boolean;
  /** How many plugins a file names. */
  readonly listedCount: number;
  readonly hasConsent: boolean;
}

/**
 * Refuses bulk copies where the terms of the source forbid them.
 * @throws AppError `invalid`, quoting the rule.
 */
export function checkManners({ address, isAll, listedCount, hasConsent }: MirrorIntent): void {
  const isBulk = isAll || listedCount > fewPlugins;
  if (!isBulk || hasConsent || !isOfBstats(address)) return;
  const asked = isAll ? '--all' : `--plugins-file with ${listedCount} plugins`;
  throw new AppError(
    'invalid',
    `${asked} is refused for bstats.org: its terms (§12, since 2025-11-19) forbid scraping, bulk export and rehosting without written consent, and allow caching for personal or project use. Name your own plugins with --plugin ID, or in a file of at most ${fewPlugins}; if you have written consent, add --consent`,
  );
}

/** `URL` has made the host lower-case ASCII, whatever way it was written; a dot at its end is left. */
function isOfBstats(address: string): boolean {
  const host = new URL(address).hostname.replace(/\.+$/, '');
  return host === 'bstats.org' || host.endsWith('.bstats.org');
}
