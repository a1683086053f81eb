/** Values checked against the schemas of the model, with a message that names field, rule and value. */
import { Compile } from 'typebox/schema';
import { AppError, quote } from '../model/app-error.ts';

type Validator = ReturnType<typeof Compile>;
type Fault = { readonly keyword: string; readonly instancePath: string; readonly params: object };
type SchemaNode = { readonly [keyword: string]: unknown };

const validators = new WeakMap<object, Validator>();

/**
 * Refuses a value that is not of the schema. Every leaf of a schema says in its `description` what it wants;
 * that text is the rule in the message.
 * @param name what the value is called where it is not part of something; `''` for a whole record.
 * @throws AppError `invalid`.
 */
export function checkShape(schema: object, value: unknown, name: string): void {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  if (validator.Check(value)) return;
  const [, faults] = validator.Errors(value);
  throw new AppError('invalid', messageFor(schema, value, { name, faults }));
}

function messageFor(
  schema: object,
  value: unknown,
  options: { readonly name: string; readonly faults: readonly Fault[] },
): string {
  const fault = options.faults.find((one) => one.keyword !== 'boolean') ?? options.faults[0];
  if (fault === undefined) return `${options.name} has the wrong shape`;
  const steps = fault.instancePath.split('/').slice(1).map(unescapePointer);
  const path = steps.reduce(
    (text, step) => (/^\d+$/.test(step) ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    options.name,
  );
  const where = path === '' ? '' : `${path}: `;
  if ('requiredProperties' in fault.params)
    return `${where}the field ${listed(fault.params.requiredProperties)} is missing`;
  if ('additionalProperties' in fault.params)
    return `${where}unknown field ${listed(fault.params.additionalProperties)}`;
  const [node, found] = steps.reduce<[SchemaNode, unknown]>(
    ([at, held], step) => [childOf(at, step), (held as SchemaNode | undefined)?.[step]],
    [schema as SchemaNode, value],
  );
  return `${path === '' ? 'the record' : path} must be ${node['description'] ?? 'of another shape'}, got ${quote(found)}`;
}

function childOf(node: SchemaNode, step: string): SchemaNode {
  const properties = node['properties'] as SchemaNode | undefined;
  const elements = node['prefixItems'] as readonly SchemaNode[] | undefined;
  return (properties?.[step] ?? elements?.[Number(step)] ?? node['items'] ?? {}) as SchemaNode;
}

function listed(names: unknown): string {
  return Array.isArray(names) ? names.map(quote).join(', ') : quote(names);
}

/** RFC 6901 4. */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
