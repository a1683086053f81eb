/** Reads bodies of responses within bounds. */
import { AppError } from '../../model/app-error.ts';

/** The largest body of a response, decoded. */
export const maxBodyBytes = 64 * 1024 * 1024;

/**
 * Reads a body, decoded.
 * @throws AppError `invalid` for a body over the bound, and the error of `fetch` for a cut connection or a broken coding.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  // One byte more, to tell a body of exactly this size from a longer one.
  const body = await readBodyHead(response, maxBytes + 1);
  if (body.length > maxBytes) throw new AppError('invalid', `the body has more than ${maxBytes} bytes`);
  return body;
}

/** Reads the first bytes of a body, decoded, and drops the connection if there are more. */
export async function readBodyHead(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop cancels the body and drops the connection.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    chunks.push(chunk);
    if (sizeBytes >= maxBytes) break;
  }
  return Buffer.concat(chunks, Math.min(sizeBytes, maxBytes));
}

/**
 * Detects JSON text that stops in the middle. Every answer of the interface is an array or an object, so it ends with a closing
 * bracket. To HTTP, a cut response without a length looks complete.
 */
export function isCut(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20);
  const last = body.findLast((byte) => byte > 0x20);
  return (first === 0x5b && last !== 0x5d) || (first === 0x7b && last !== 0x7d);
}
