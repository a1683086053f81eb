/** The query parameters of badges. */
import { type Badge, badgeColours, badgeStyles } from '../../draw/badge-look.ts';
import { oneOf, type Parameter, type Query, type Refuse, textUpTo } from '../../http/query-parameter.ts';
import { type ParameterTable, parseParameters } from '../address/query-parameters.ts';

/** Options of a badge: everything but its message. */
export interface BadgeParameters extends Pick<Badge, 'color' | 'style'> {
  /** Label in place of the title of the chart; empty for the title. */
  readonly label: string;
}

/** The badge of an empty query. */
export const badgeDefaults: BadgeParameters = { label: '', color: 'blue', style: 'flat' };

const colourNames = Object.keys(badgeColours);
const named = oneOf(colourNames);

const color: Parameter<string> = {
  allowed: `${colourNames.join(', ')}, or a colour of 3 or 6 hexadecimal digits`,
  parse: (text) => {
    const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? [];
    return digits === undefined ? named.parse(text) : `#${digits.toLowerCase()}`;
  },
};

const parameters: ParameterTable<BadgeParameters> = {
  label: textUpTo(100),
  color,
  style: oneOf(badgeStyles),
};

/** Parses a query, as {@link parseParameters} does. */
export function parseBadge(query: Query, refuse?: Refuse): BadgeParameters {
  return parseParameters(query, parameters, { defaults: badgeDefaults, refuse });
}
