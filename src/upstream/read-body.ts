/** The body of a response within bounds. */

/** The most that the body of one response may have, decoded. */
export const maxBodyBytes = 64 * 1024 * 1024;

/** A body that goes on beyond the bound. Asking again would not help. */
export class BodyTooLarge extends Error {}

/**
 * Reads a body, decoded.
 * @throws BodyTooLarge; whatever `fetch` throws for a connection that is cut and a coding that is broken.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop early cancels the body and with it the connection.
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, sizeBytes);
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
