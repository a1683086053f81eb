/** The part of JSON Schema that the schemas of the model are written in. */

/** What a value must look like. Keywords for one kind of value say nothing about the others. */
export interface Shape {
  readonly type?: ValueType | readonly ValueType[];
  /** The rule in words: it follows "must be" in messages and stands in the documentation. */
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A regular expression with the flag `u`, from start to end. */
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  /** No members but those in `properties`, which is then there. Left out, others are passed over. */
  readonly additionalProperties?: false;
  /** The first elements of an array. */
  readonly prefixItems?: readonly Shape[];
  /** Every other element; `false` allows none. */
  readonly items?: Shape | false;
  readonly minItems?: number;
}

type ValueType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
