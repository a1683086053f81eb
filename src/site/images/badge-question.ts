/** Questions for badges, whatever they show. */
import type { Question } from '../../http/endpoint.ts';
import type { Turns } from '../../http/turns.ts';
import type { WorkReader } from '../../http/work/work-reader.ts';
import type { Query } from '../address/query-parameter.ts';
import { loadOnce } from '../load-once.ts';
import { badgeQuery, parseBadge } from './badge-parameters.ts';
import { svgHeaders, svgMediaType } from './image-question.ts';
import type { BadgeWords } from './make-badge.ts';

/** The forms of a badge: drawn, or for shields.io to draw. */
export const badgeExtensions = ['svg', 'json'] as const;

/** Loads the code that reads and draws badges, once. */
export const loadBadges = loadOnce(() => import('./make-badge.ts'));

/** A badge that is asked for. */
export interface BadgeRequest {
  /** Its path without the extension. */
  readonly path: string;
  readonly extension: (typeof badgeExtensions)[number];
  readonly query: Query;
  /** Query parameters that this badge has and others have not, as they stand in the key. */
  readonly ownParameters?: Readonly<Record<string, string>>;
  readonly loadWords: (reader: WorkReader, turns: Turns) => Promise<BadgeWords>;
}

/**
 * The question for a badge.
 * @throws AppError `invalid` for a malformed query.
 */
export function badgeQuestion({ path, extension, query, ownParameters, loadWords }: BadgeRequest): Question {
  const asked = parseBadge(query);
  // Who draws the badge of the JSON decides about its style.
  const badge = extension === 'json' ? { ...asked, style: 'flat' as const } : asked;
  return {
    key: `${path}.${extension}${badgeQuery(badge, ownParameters)}`,
    source: 'data',
    ...(extension === 'svg'
      ? { mediaType: svgMediaType, headers: svgHeaders }
      : { mediaType: 'application/json; charset=utf-8' }),
    workClass: 'picture',
    async *parts(reader, turns) {
      const { makeBadge } = await loadBadges();
      yield makeBadge(await loadWords(reader, turns), badge, extension);
    },
  };
}
