/** The part of JSON Schema that the schemas of the model are written in. */

/** A rule for values. A keyword for one kind of value, such as `minimum`, does not apply to the others. */
export interface Shape {
  readonly type?: ValueType | readonly ValueType[];
  /** The rule in words, which follow "must be" in messages and are part of the OpenAPI document. */
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A regular expression with the flag `u` for the whole text. */
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** `false` allows only the members in `properties`; otherwise other members are ignored. */
  readonly additionalProperties?: false;
  /** The first elements of an array. */
  readonly prefixItems?: readonly Shape[];
  /** The rule for every further element; `false` allows none. */
  readonly items?: Shape | false;
  readonly minItems?: number;
}

type ValueType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
