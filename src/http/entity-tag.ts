/** Entity tags, which are the same for the same bytes on every node, and their comparison (RFC 9110 13.1.2). */

/** The strong tag of a body (RFC 9110 8.8.3): each content coding has its own. */
export function entityTag(digest: string, coding: string): string {
  return coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`;
}

/**
 * Checks if an `If-None-Match` header names this strong tag. The comparison is weak, as the header demands. Of an answer without a tag,
 * `*` alone matches: it means any.
 */
export function matchesTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  const tags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return etag !== undefined && tags.includes(etag);
}
