/** The body of a response within bounds. */
import { AppError } from '../../model/app-error.ts';

/** The most that the body of one response may have, decoded. */
export const maxBodyBytes = 64 * 1024 * 1024;

/**
 * Reads a body, decoded.
 * @throws AppError `invalid` for a body that goes on beyond the bound; whatever `fetch` throws for a connection that is cut
 *   and a coding that is broken.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  // One byte more tells a body that has just as many from one that goes on.
  const body = await readBodyHead(response, maxBytes + 1);
  if (body.length > maxBytes) throw new AppError('invalid', `the body has more than ${maxBytes} bytes`);
  return body;
}

/** Reads the first bytes of a body, decoded; the connection is dropped where there are more. */
export async function readBodyHead(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop early cancels the body and with it the connection.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    chunks.push(chunk);
    if (sizeBytes >= maxBytes) break;
  }
  return Buffer.concat(chunks, Math.min(sizeBytes, maxBytes));
}

/**
 * Whether JSON text stops in the middle: every answer of the interface is an array or an object, and so has its closing
 * bracket at the end. Without a length a cut response looks complete to HTTP.
 */
export function isCut(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20);
  const last = body.findLast((byte) => byte > 0x20);
  return (first === 0x5b && last !== 0x5d) || (first === 0x7b && last !== 0x7d);
}
