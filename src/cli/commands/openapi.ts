/** `openapi`: the OpenAPI document, laid out for people. */
import { openapiDocument } from '../../api/openapi.ts';
import { printDocument } from '../output.ts';

/** Prints the document. */
export function printOpenapi(): void {
  printDocument(`${JSON.stringify(openapiDocument(), undefined, 2)}\n`);
}
