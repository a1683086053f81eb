/** The query parameters of badges. */
import { type Badge, badgeColours, badgeStyles } from '../../draw/badge-look.ts';
import {
  oneOf,
  type Parameter,
  parseParameter,
  type Query,
  refuseByThrowing,
  textUpTo,
} from '../address/query-parameter.ts';

/** Options of a badge: everything but its message. */
export interface BadgeParameters extends Pick<Badge, 'color' | 'style'> {
  /** Label in place of the title of the chart; empty for the title. */
  readonly label: string;
}

const defaults: BadgeParameters = { label: '', color: 'blue', style: 'flat' };

const colourNames = Object.keys(badgeColours);
const named = oneOf(colourNames);

const color: Parameter<string> = {
  allowed: `${colourNames.join(', ')}, or a colour of 3 or 6 hexadecimal digits`,
  parse: (text) => {
    const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? [];
    return digits === undefined ? named.parse(text) : `#${digits.toLowerCase()}`;
  },
};

const parameters = { label: textUpTo(100), color, style: oneOf(badgeStyles) };

/**
 * Parses a query. A parameter that is left out or blank has its default; unknown ones are ignored.
 * @throws AppError `invalid` for a parameter that is not allowed or is given more than once, unless `refuse` returns.
 */
export function parseBadge(query: Query, refuse = refuseByThrowing): BadgeParameters {
  const read = <Name extends keyof BadgeParameters>(
    name: Name,
    parameter: Parameter<BadgeParameters[Name]>,
  ): BadgeParameters[Name] => parseParameter(query, name, { parameter, fallback: defaults[name], refuse });
  return {
    label: read('label', parameters.label),
    color: read('color', parameters.color),
    style: read('style', parameters.style),
  };
}

/** The shortest query for a badge, with its question mark; '' for the defaults. `ownParameters` come first. */
export function badgeQuery(
  badge: BadgeParameters,
  ownParameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams(ownParameters);
  for (const name of ['label', 'color', 'style'] as const)
    if (badge[name] !== defaults[name]) query.set(name, badge[name]);
  return query.size === 0 ? '' : `?${query}`;
}
