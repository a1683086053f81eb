/** The sample archive. */
import { fileURLToPath } from 'node:url';

/** The path of the sample archive. */
export const sampleFile = fileURLToPath(new URL('../../../sample/sample.ndjson.gz', import.meta.url));
