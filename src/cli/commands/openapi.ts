/** `openapi`: the OpenAPI document, laid out for people. */
import { openapiDocument } from '../../api/openapi.ts';

/** Prints the document. */
export function printOpenapi(): void {
  process.stdout.write(`${JSON.stringify(openapiDocument(), undefined, 2)}\n`);
}
