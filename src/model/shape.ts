/** The subset of JSON Schema in which the schemas of the model are written. */

/** A rule for values. As in JSON Schema, keywords for another type of value are ignored. */
export interface Shape {
  readonly type?: ValueType | readonly ValueType[];
  /** The rule in words that follow "must be" in messages and appear in the OpenAPI document. */
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Regular expression for the whole text, with the flag `u`. */
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** `false` allows only the members in `properties`; by default other members are ignored. */
  readonly additionalProperties?: false;
  /** Schemas of the first elements of an array. */
  readonly prefixItems?: readonly Shape[];
  /** Schema of all further elements; `false` allows none. */
  readonly items?: Shape | false;
  readonly minItems?: number;
}

type ValueType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
