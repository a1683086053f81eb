/** `openapi`: prints the OpenAPI document, indented. */
import type { ApiOptions } from '../../api/api-options.ts';
import { openapiDocument } from '../../api/openapi.ts';
import { printDocument } from '../output.ts';

/** Prints the document. */
export function printOpenapi(options: ApiOptions): void {
  printDocument(`${JSON.stringify(openapiDocument(options), undefined, 2)}\n`);
}
