/** Questions for badges. */

import type { Body } from '../../http/endpoint.ts';
import type { Query } from '../../http/query-parameter.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import { type OwnParameters, shortestQuery } from '../address/query-parameters.ts';
import { loadOnce } from '../load-once.ts';
import { badgeDefaults, parseBadge } from './badge-parameters.ts';
import { svgHeaders, svgMediaType } from './image-question.ts';
import type { BadgeWords } from './render-badge.ts';

/** The forms of a badge: drawn, or for shields.io to draw. */
export const badgeExtensions = ['svg', 'json'] as const;

/** Loads the code for badges once. */
export const loadBadges = loadOnce(() => import('./render-badge.ts'));

/** A request for a badge. */
interface BadgeRequest {
  /** Its path without the extension. */
  readonly path: string;
  readonly extension: (typeof badgeExtensions)[number];
  readonly query: Query;
  /** Query parameters of this kind of badge, as they are in the key. */
  readonly ownParameters?: OwnParameters;
  readonly loadWords: (reader: MetricsReader) => Promise<BadgeWords>;
}

/**
 * The question for a badge.
 * @throws AppError `invalid` for a malformed query.
 */
export function badgeQuestion({ path, extension, query, ownParameters, loadWords }: BadgeRequest): Body {
  const asked = parseBadge(query);
  // The style of a badge from JSON is up to the service that draws it.
  const badge = extension === 'json' ? { ...asked, style: 'flat' as const } : asked;
  return {
    key: `${path}.${extension}${shortestQuery(badge, badgeDefaults, ownParameters)}`,
    source: 'data',
    ...(extension === 'svg'
      ? { mediaType: svgMediaType, headers: svgHeaders }
      : { mediaType: 'application/json; charset=utf-8' }),
    size: 'small',
    async *parts(reader) {
      const { renderBadge } = await loadBadges();
      yield renderBadge(await loadWords(reader), badge, extension);
    },
  };
}
